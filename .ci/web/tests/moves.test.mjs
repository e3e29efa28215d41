/** What can be done with cards besides moving them where they may go, and what is said when they may not. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { Finger, Keyboard, Mouse, selector } from "./hands.mjs";
import { agrees, eventually, openTable, press, serverAndBrowser, showsVersion, still } from "./support.mjs";

const { server, browser } = await serverAndBrowser();

const SQUARE = { game: "napoleons-square", seed: "a square" };

/** A move from tableau pile to tableau pile that is not legal, and what the server says to it. */
async function illegalMove(session, token) {
  const tableau = session.piles.filter(({ kind }) => kind === "tableau").map(({ id }) => id);
  const isLegal = (from, to) => session.legal_moves.some((move) => move.from === from && move.to === to);
  const from = tableau[0];
  const to = tableau.find((id) => id !== from && !isLegal(from, id));
  const move = { type: "move", from, to, count: 1 };
  const refusal = await server.post(`/v1/sessions/${session.id}/moves`, move, token).catch((error) => error);
  assert.equal(refusal.told.code, "illegal_move");
  return { move, sentence: refusal.told.detail };
}

const boxOf = (page, which) => page.locator(which).boundingBox();

for (const [name, options, handOf] of [
  ["a mouse", {}, async (page) => new Mouse(page, () => 0)],
  ["a finger", { hasTouch: true, isMobile: true, viewport: { width: 412, height: 860 } }, (page) => Finger.of(page, () => 0)],
]) {
  test(`a card dropped with ${name} where it may not go glides back, and the server's sentence is shown`, async (t) => {
    const { page, id, token } = await openTable(t, browser, server, SQUARE, options);
    const session = await server.session(id);
    const { move, sentence } = await illegalMove(session, token);
    const card = selector(session, move.from);
    await still(page);
    const home = await boxOf(page, card);
    const target = await boxOf(page, selector(session, move.to));
    await page.locator(card).evaluate((element) => {
      element.addEventListener("transitionend", ({ propertyName }) => (element.dataset.glided = propertyName));
    });

    const hand = await handOf(page);
    const from = { x: home.x + home.width / 2, y: home.y + home.height / 2 };
    const to = { x: from.x + target.x - home.x, y: from.y + target.y - home.y };
    await hand.take(from, to);
    await eventually(async () => near(await boxOf(page, card), target), "the card is where the pointer is");
    await hand.let(to);

    await page.locator(".saying.shown", { hasText: sentence }).waitFor();
    await page.locator(`${card}[data-glided=translate]`).waitFor();
    assert.deepEqual(await boxOf(page, card), home);
    const now = await agrees(page, server, id);
    assert.equal(now.version, session.version);
  });
}

const near = (one, other) => Math.abs(one.x - other.x) < 3 && Math.abs(one.y - other.y) < 3;

test("a tap that follows a card that was flung is heard", async (t) => {
  const options = { hasTouch: true, isMobile: true, viewport: { width: 412, height: 860 } };
  const { page, id } = await openTable(t, browser, server, SQUARE, options);
  await still(page);
  const { x, y } = await boxOf(page, "[data-pile=tableau-12][data-index='3']");
  const stock = await boxOf(page, "[data-pile=stock] >> nth=-1");
  const finger = await Finger.of(page, () => 0);
  await finger.take({ x: x + 15, y: y + 20 }, { x: x + 135, y: y - 130 });
  await finger.let();
  await page.locator("[data-drag]").waitFor({ state: "detached" });
  await finger.press({ x: stock.x + 10, y: stock.y + 10 });
  await showsVersion(page, 2);
  const { piles } = await agrees(page, server, id);
  assert.equal(piles.find(({ kind }) => kind === "waste").cards.length, 1, "a card was drawn");
});

test("a card that is dragged lies above all others", async (t) => {
  const { page, id } = await openTable(t, browser, server, SQUARE);
  const session = await server.session(id);
  await still(page);
  const card = await boxOf(page, selector(session, "tableau-12"));
  const over = await boxOf(page, selector(session, "tableau-4"));
  const mouse = new Mouse(page, () => 0);
  await mouse.take({ x: card.x + 5, y: card.y + 5 }, { x: over.x + 5, y: over.y + 5 });
  const depths = await page.locator(".card").evaluateAll((all) =>
    all.map((element) => ({ pile: element.dataset.pile, index: Number(element.dataset.index), depth: Number(getComputedStyle(element).zIndex) })),
  );
  const top = depths.sort((one, other) => other.depth - one.depth)[0];
  assert.deepEqual([top.pile, top.index], ["tableau-12", 3]);
  await mouse.let();
});

test("a card that is clicked and clicked again elsewhere, and a click on what came to lie there, are no double click", async (t) => {
  const { page, id } = await openTable(t, browser, server, SQUARE);
  const session = await server.session(id);
  const move = session.legal_moves.find(({ from, to }) => from?.startsWith("tableau") && to.startsWith("tableau"));
  await still(page);
  const click = (which) => page.locator(which).evaluate((element) => element.click());
  await click(selector(session, move.from, move.count));
  await page.locator(".card.held").first().waitFor();
  await click(selector(session, move.to));
  await showsVersion(page, session.version + 1);
  const moved = await server.session(id);
  await click(selector(moved, move.to));
  await page.locator(`${selector(moved, move.to)}[aria-pressed=true]`).waitFor();
});

test("targets of what is held light up, and Escape puts it down", async (t) => {
  const { page, id } = await openTable(t, browser, server, SQUARE);
  const session = await server.session(id);
  const { from } = session.legal_moves.find(({ type }) => type === "move");
  await still(page);
  await page.locator(selector(session, from)).click();
  await page.locator(".card.held").waitFor();
  const lit = await page.locator(".target:visible").evaluateAll((all) => all.map(({ dataset }) => dataset.pile ?? dataset.place));
  const targets = session.legal_moves.filter((move) => move.from === from && move.count === 1).map(({ to }) => to);
  assert.deepEqual(lit.sort(), targets.sort());
  await page.keyboard.press("Escape");
  await page.locator(".card.held").waitFor({ state: "detached" });
  assert.equal(await page.locator(".target").count(), 0);
});

test("a space takes the top of the stock, with a mouse and with the keyboard", async (t) => {
  // Two piles of the square are aces: they go up and leave spaces.
  const suits = ["C", "D", "H", "S"];
  const aces = suits.map((suit) => `A${suit}`);
  const rest = suits.flatMap((suit) => [..."23456789TJQK"].map((rank) => rank + suit));
  const others = [...rest, ...rest];
  const rows = aces.flatMap((ace) => [ace, ace, ...others.splice(0, 10)]);
  const deck = [...rows, ...others];
  const { page, id, token } = await openTable(t, browser, server, { game: "napoleons-square", deck });
  let session = await server.post(`/v1/sessions/${id}/autoplay`, { draws: false }, token);
  for (const hand of [new Mouse(page, () => 0), new Keyboard(page, () => 0)]) {
    await agrees(page, server, id);
    const move = session.legal_moves.find(({ from, to }) => from === "stock" && ["tableau-1", "tableau-2"].includes(to));
    await hand.make(move, session);
    await showsVersion(page, session.version + 1);
    const moved = await agrees(page, server, id);
    const held = (pile, of) => of.piles.find((each) => each.id === pile);
    assert.equal(held("stock", moved).face_down, held("stock", session).face_down - 1);
    assert.equal(held(move.to, moved).cards.length, 1);
    session = moved;
  }
});

test("a card is taken by the whole of a place that is wider than a card", async (t) => {
  const { page, id, token } = await openTable(t, browser, server, { game: "captive-queens", seed: "wide" });
  const toQueens = ({ legal_moves }) => legal_moves.find((move) => move.from === "waste" && move.to === "queens");
  let session = await server.session(id);
  while (!toQueens(session)) session = await server.post(`/v1/sessions/${id}/moves`, session.legal_moves[0], token);
  await agrees(page, server, id);
  await still(page);
  const card = await boxOf(page, selector(session, "waste"));
  const place = await boxOf(page, "[data-place=queens]");
  const hand = new Mouse(page, () => 0);
  const end = { x: place.x + place.width - 5, y: place.y + place.height / 2 };
  await hand.take({ x: card.x + card.width / 2, y: card.y + card.height / 2 }, end);
  await hand.let();
  await showsVersion(page, session.version + 1);
  assert.equal((await agrees(page, server, id)).piles.find(({ id: pile }) => pile === "queens").cards.length, 1);
});

test("a draw is taken back and played again", async (t) => {
  const { page, id } = await openTable(t, browser, server, SQUARE);
  await page.getByRole("button", { name: "Draw", exact: true }).click();
  await showsVersion(page, 2);
  const drawn = await agrees(page, server, id);
  await page.getByRole("button", { name: "Undo" }).click();
  await showsVersion(page, 3);
  const undone = await agrees(page, server, id);
  assert.equal(undone.moves, 0);
  await page.getByRole("button", { name: "Redo" }).click();
  await showsVersion(page, 4);
  assert.deepEqual((await agrees(page, server, id)).piles, drawn.piles);
});

test("what is said twice is heard twice", async (t) => {
  const { page } = await openTable(t, browser, server, SQUARE);
  for (const version of [2, 3]) {
    await press(page, "Draw");
    await showsVersion(page, version);
  }
  await press(page, "Undo");
  await showsVersion(page, 4);
  const said = page.locator("#happened > *");
  const first = await said.elementHandle();
  await press(page, "Undo");
  await showsVersion(page, 5);
  assert.match(await said.textContent(), /back/);
  assert.equal(await first.evaluate((element) => element.isConnected), false, "nothing was put there anew");
});

test("redeals are counted where there are any", async (t) => {
  for (const [game, counts] of [["napoleons-square", 0], ["topsy-turvy-queens", 1]]) {
    const { page } = await openTable(t, browser, server, { game, seed: "redeals" });
    assert.equal(await page.getByText("Redeals left").count(), counts, game);
  }
});

test("the keys d, u, r, a and h draw, undo, redo, send up and give a hint", async (t) => {
  const { page, id } = await openTable(t, browser, server, SQUARE);
  const history = async () => (await server.get(`/v1/sessions/${id}/history`)).items;
  for (const [key, version, type] of [["d", 2, "moved"], ["d", 3, "moved"], ["u", 4, "undone"], ["u", 5, "undone"], ["r", 6, "redone"]]) {
    await page.keyboard.press(key);
    await showsVersion(page, version);
    await agrees(page, server, id);
    assert.equal((await history()).at(-1).type, type);
  }
  assert.ok((await server.session(id)).legal_moves.some(({ to }) => to?.startsWith("foundation")), "there is something to send up");
  await page.keyboard.press("a");
  await showsVersion(page, 7);
  assert.ok((await agrees(page, server, id)).placed > 0);

  const answer = page.waitForResponse(/\/hint$/);
  await page.keyboard.press("h");
  const { move, why } = await (await answer).json();
  await page.locator(".saying.shown", { hasText: why }).waitFor();
  const pointed = await page.locator(".hinted:visible").evaluateAll((all) => all.map(({ dataset }) => dataset.pile ?? dataset.place));
  const piles = move.type === "move" ? [...Array(move.count).fill(move.from), move.to] : ["stock"];
  assert.deepEqual(pointed.sort(), piles.sort());
});

test("Ctrl and z undo with capitals locked, and redo with Shift", async (t) => {
  const { page } = await openTable(t, browser, server, SQUARE);
  await page.keyboard.press("d");
  await showsVersion(page, 2);
  const send = (key, shiftKey) =>
    page.evaluate((init) => dispatchEvent(new KeyboardEvent("keydown", { ...init, ctrlKey: true })), { key, shiftKey });
  await send("Z", false);
  await page.locator("#happened", { hasText: "back" }).waitFor();
  await showsVersion(page, 3);
  await send("z", true);
  await page.locator("#happened", { hasText: "again" }).waitFor();
});

test("a key without a name, as what fills fields in presses it, does nothing", async (t) => {
  const { page } = await openTable(t, browser, server, SQUARE);
  await page.evaluate(() => document.querySelector(".film input").dispatchEvent(new Event("keydown", { bubbles: true })));
  await page.keyboard.press("d");
  await showsVersion(page, 2);
});

test("Enter that is held down draws once", async (t) => {
  const { page, id } = await openTable(t, browser, server, SQUARE);
  for (const button of [page.locator(".do-draw"), page.locator("[data-pile=stock]").last()]) {
    const { version } = await server.session(id);
    await button.focus();
    for (let held = 0; held < 4; held += 1) await page.keyboard.down("Enter");
    await page.keyboard.up("Enter");
    await showsVersion(page, version + 1);
    await still(page);
    await agrees(page, server, id);
    assert.equal((await server.session(id)).version, version + 1);
  }
});

test("where nothing goes by itself, that is said in a few words", async (t) => {
  const { page } = await openTable(t, browser, server, { game: "napoleons-square", seed: "asking" });
  for (const [name, says] of [["Send up", "No card goes up by itself now."], ["Play on", "Nothing goes by itself now"]]) {
    await press(page, name);
    await page.locator(".saying.shown", { hasText: says }).waitFor();
  }
});

test("keys do nothing while one writes", async (t) => {
  const { session } = await server.deal({ ...SQUARE, seats: 2 });
  const { page } = await openTable(t, browser, server, SQUARE);
  await page.goto(`/sessions/${session.id}`);
  await page.getByLabel("Your name").fill("");
  await page.getByLabel("Your name").pressSequentially("Hurd");
  assert.equal(await page.getByLabel("Your name").inputValue(), "Hurd");
  assert.equal((await server.session(session.id)).version, 1);
});

test("a move is said to those who do not see it", async (t) => {
  const { page } = await openTable(t, browser, server, SQUARE);
  await page.keyboard.press("d");
  await page.locator("#happened[aria-live=polite]", { hasText: /^You draw .+ of .+/ }).waitFor({ state: "attached" });
});

test("many moves that were made at once are told shortly, and move nothing", async (t) => {
  const { page, id } = await openTable(t, browser, server, { game: "captive-queens", seed: "between 1" });
  const height = () => page.locator(".happened").evaluate((element) => element.getBoundingClientRect().height);
  const before = await height();
  await press(page, "Play on");
  await showsVersion(page, 2);
  const { moves } = await agrees(page, server, id);
  assert.ok(moves > 50);
  await page.getByText("All that has happened").click();
  for (const told of [page.locator("#happened"), page.locator(".entries li").last()]) {
    await told.getByText(`You play on: ${moves} moves.`).waitFor();
  }
  assert.equal(await height(), before);
});
