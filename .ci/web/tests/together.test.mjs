/** Several people at one table: those who play, those who watch, those who may not come in. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { Mouse } from "./hands.mjs";
import { agrees, eventually, openPage, openTable, press, seatIn, serverAndBrowser, sessionOf, showsVersion, still } from "./support.mjs";

const SHARED = { game: "napoleons-square", seed: "together", seats: 2 };
const ROUNDS = 20;

const { server, browser } = await serverAndBrowser();

/** Somebody else opens a table and takes the free seat. */
async function join(t, id, name) {
  const page = await openPage(t, browser, server);
  await page.goto(`/sessions/${id}`);
  await page.getByText("One seat is free").waitFor();
  await page.getByLabel("Your name").fill(name);
  await press(page, "Take a seat");
  await page.locator(".do-draw").waitFor();
  return page;
}

test("who opens the link takes the free seat, and both see what either does", async (t) => {
  const { page: ada, id } = await openTable(t, browser, server, { ...SHARED, name: "Ada" });
  const bob = await join(t, id, "Bob");
  await ada.locator(".people .online", { hasText: "Bob" }).waitFor();
  await bob.locator(".people .online", { hasText: "Ada" }).waitFor();
  await bob.locator(".people", { hasText: "Bob (you)" }).waitFor();

  for (const [one, other, name] of [[ada, bob, "Ada"], [bob, ada, "Bob"], [ada, bob, "Ada"]]) {
    const { version } = await server.session(id);
    await press(one, "Draw");
    await showsVersion(other, version + 1);
    await other.locator("#happened", { hasText: new RegExp(`^${name} draws .+ of .+\\.$`) }).waitFor({ state: "attached" });
    await agrees(one, server, id);
    await agrees(other, server, id);
  }
});

test("who takes a seat is here at once, and a watcher is told of the others who watch", async (t) => {
  const { id } = await server.deal(SHARED);
  const [watcher, page] = [await openPage(t, browser, server), await openPage(t, browser, server)];
  await watcher.goto(`/sessions/${id}`);
  await page.goto(`/sessions/${id}`);
  await watcher.getByText("1 other watching").waitFor();
  await page.locator(".joining").waitFor();
  await page.evaluate(() => {
    window.away = [];
    const note = () => window.away.push(...[...document.querySelectorAll(".people .offline")].map(({ textContent }) => textContent));
    new MutationObserver(note).observe(document.querySelector(".people"), { subtree: true, childList: true, attributes: true });
  });
  await press(page, "Take a seat");
  await page.locator(".people .online", { hasText: "(you)" }).waitFor();
  await page.getByText("Connected", { exact: true }).waitFor();
  const away = await page.evaluate(() => window.away.filter((text) => text.includes("(you)")));
  assert.deepEqual(away, []);
});

test("who takes a seat goes on with the table that he has watched", async (t) => {
  const { id } = await openTable(t, browser, server, SHARED);
  const page = await openPage(t, browser, server);
  await page.goto(`/sessions/${id}`);
  await page.locator(".board").waitFor();
  const board = await page.locator(".board").elementHandle();
  await press(page, "Take a seat");
  await page.locator(".people", { hasText: "(you)" }).waitFor();
  await press(page, "Draw");
  await agrees(page, server, id);
  assert.equal(await board.evaluate((element) => element.isConnected), true, "the table was drawn anew");
});

test("two who draw at once see the same table in the end, and who was slower is told so", async (t) => {
  const { page: ada, id } = await openTable(t, browser, server, { ...SHARED, name: "Ada" });
  const bob = await join(t, id, "Bob");
  let slower = 0;
  for (let round = 0; round < ROUNDS; round += 1) {
    const before = await agrees(ada, server, id);
    await agrees(bob, server, id);
    const statuses = await Promise.all(
      [ada, bob].map(async (page) => {
        const [answer] = await Promise.all([page.waitForResponse(/\/moves$/), page.locator(".do-draw").evaluate((button) => button.click())]);
        if (answer.status() === 412) await page.locator(".saying.shown", { hasText: "Somebody else was faster" }).waitFor();
        return answer.status();
      }),
    );
    const made = statuses.filter((status) => status === 200).length;
    slower += statuses.filter((status) => status === 412).length;
    assert.ok(made >= 1 && statuses.every((status) => [200, 412].includes(status)), `round ${round}: ${statuses}`);
    assert.equal((await agrees(ada, server, id)).version, before.version + made);
    await agrees(bob, server, id);
  }
  t.diagnostic(`${slower} of ${ROUNDS} rounds had one who was slower`);
});

test("a card that is dragged while another moves goes where it is dropped, or glides back", async (t) => {
  const { page: ada, id, token } = await openTable(t, browser, server, { ...SHARED, name: "Ada" });
  const session = await server.session(id);
  const move = session.legal_moves.find(({ type }) => type === "move");
  await still(ada);
  const boxes = await Promise.all([move.from, move.to].map((pile) => ada.locator(`[data-pile=${pile}], [data-place=${pile}]`).last().boundingBox()));
  const mouse = new Mouse(ada, () => 0);
  const [from, to] = boxes.map(({ x, y, width, height }) => ({ x: x + width / 2, y: y + height / 2 }));
  await mouse.take(from, to);
  await server.post(`/v1/sessions/${id}/moves`, { type: "draw" }, token);
  await showsVersion(ada, 2);
  await mouse.let();
  await showsVersion(ada, 3);
  await still(ada);
  await agrees(ada, server, id);
  assert.equal(await ada.locator("[data-drag=dragged]").count(), 0);
});

test("a card on which another one comes to lie while it is dragged glides back, and nothing is asked for", async (t) => {
  const { page: ada, id, token } = await openTable(t, browser, server, { ...SHARED, name: "Ada" });
  await press(ada, "Draw");
  await showsVersion(ada, 2);
  await still(ada);
  const box = (pile) => ada.locator(`[data-pile=${pile}]:not([aria-hidden=true])`).last().boundingBox();
  const [from, to] = (await Promise.all([box("waste"), box("tableau-1")])).map(({ x, y, width, height }) => ({ x: x + width / 2, y: y + height / 2 }));
  const asked = [];
  ada.on("request", (request) => request.method() === "POST" && asked.push(request.url()));
  const mouse = new Mouse(ada, () => 0);
  await mouse.take(from, to);
  await server.post(`/v1/sessions/${id}/moves`, { type: "draw" }, token);
  await showsVersion(ada, 3);
  await mouse.let();
  await still(ada);
  await agrees(ada, server, id);
  assert.deepEqual(asked, []);
});

test("who watches sees moves, is told that he watches, and cannot move a card", async (t) => {
  const { page: player, id } = await openTable(t, browser, server, { ...SHARED, seats: 1, name: "Ada" });
  const watcher = await openPage(t, browser, server);
  const asked = [];
  watcher.on("request", (request) => request.method() !== "GET" && asked.push(request.url()));
  await watcher.goto(`/sessions/${id}`);
  await watcher.getByText("You are watching.").waitFor();
  await player.getByText("1 watching").waitFor();
  assert.equal(await watcher.getByText("1 other watching").count(), 0, "he counts himself");
  await watcher.locator(".people .online", { hasText: "Ada" }).waitFor();
  assert.equal(await watcher.locator(".do-draw").count(), 0);

  await press(player, "Draw");
  await showsVersion(watcher, 2);
  const session = await agrees(watcher, server, id);
  const mouse = new Mouse(watcher, () => 0);
  await mouse.make(session.legal_moves.find(({ type }) => type === "move"), session);
  await mouse.make({ type: "draw" }, session);
  for (const key of ["d", "u", "a"]) await watcher.keyboard.press(key);
  await still(watcher);
  assert.equal((await agrees(watcher, server, id)).version, 2);
  assert.deepEqual(asked, []);

  await watcher.close();
  await player.getByText("1 watching").waitFor({ state: "detached" });
  await player.close();
  await eventually(async () => (await server.get(`/v1/sessions/${id}/presence`)).online.length === 0, "nobody is there");
});

/** Notes every address that a page asks for or shows. */
function note(page, seen) {
  page.on("request", (request) => seen.push(request.url()));
  page.on("framenavigated", (frame) => seen.push(frame.url()));
}

test("a private table lets in who has the link with the invite, and is not there for others", async (t) => {
  const host = await openPage(t, browser, server, { permissions: ["clipboard-read", "clipboard-write"] });
  const seen = [];
  note(host, seen);
  await host.goto("/");
  await host.getByLabel("Your name").fill("Ada");
  await host.getByLabel("Seats").fill("2");
  await host.getByLabel("Who may see it").selectOption("private");
  await press(host, "Deal");
  const id = await sessionOf(host);
  await press(host, "Copy link");
  await host.getByText("The link is copied. It lets in whoever has it.").waitFor();
  const link = await host.evaluate(() => navigator.clipboard.readText());
  const { token, invite } = await seatIn(host, id);
  assert.equal(link, `${server.origin}/sessions/${id}#invite=${invite}`);

  const stranger = await openPage(t, browser, server);
  await stranger.goto(`/sessions/${id}`);
  await stranger.getByText("There is no such table").waitFor();

  const wrong = await openPage(t, browser, server);
  await wrong.goto(`/sessions/${id}#invite=${"0".repeat(invite.length)}`);
  await press(wrong, "Take a seat");
  await wrong.getByRole("alert").getByText(/\w/).waitFor();

  const friend = await openPage(t, browser, server);
  note(friend, seen);
  await friend.goto(link);
  await friend.getByLabel("Your name").fill("Bob");
  await press(friend, "Take a seat");
  await friend.locator(".do-draw").click();
  await showsVersion(host, 3);
  await agrees(host, server, id, token);
  await agrees(friend, server, id, token);
  await friend.reload();
  await agrees(friend, server, id, token);

  const tokens = [token, (await seatIn(friend, id)).token];
  const told = seen.filter((address) => tokens.some((secret) => address.includes(secret)));
  assert.deepEqual(told, []);
  const asked = seen.map((address) => address.split("#")[0]).filter((address) => address.includes(invite));
  assert.deepEqual(asked, [], "an invite stays in the part of the address that no server gets");
});

test("another deal is one for as many, and as hidden", async (t) => {
  const { page, id, token } = await openTable(t, browser, server, { ...SHARED, seats: 3, visibility: "private" });
  await server.post(`/v1/sessions/${id}/resign`, undefined, token);
  await press(page, "Another deal");
  await page.waitForURL((url) => !url.pathname.includes(id));
  const other = await sessionOf(page);
  const { seats, visibility } = await server.session(other, (await seatIn(page, other)).token);
  assert.deepEqual([seats, visibility], [3, "private"]);
});

test("a hidden tab closes its stream, and catches up when it is shown", async (t) => {
  const { page, id, token } = await openTable(t, browser, server, SHARED);
  const online = async () => (await server.get(`/v1/sessions/${id}/presence`)).online.length;
  const setHidden = (hidden) =>
    page.evaluate((now) => {
      Object.defineProperty(document, "hidden", { configurable: true, get: () => now });
      Object.defineProperty(document, "visibilityState", { configurable: true, get: () => (now ? "hidden" : "visible") });
      document.dispatchEvent(new Event("visibilitychange"));
    }, hidden);
  await eventually(async () => (await online()) === 1, "the player is there");
  await setHidden(true);
  await eventually(async () => (await online()) === 0, "the player is away");
  for (let drawn = 0; drawn < 3; drawn += 1) await server.post(`/v1/sessions/${id}/moves`, { type: "draw" }, token);
  await showsVersion(page, 1);
  await setHidden(false);
  await showsVersion(page, 4);
  await agrees(page, server, id);
  await eventually(async () => (await online()) === 1, "the player is there again");
});
