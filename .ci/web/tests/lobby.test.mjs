/** What the lobby keeps: which game is chosen, and the tables of whoever comes back. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { GAMES, openPage, press, serverAndBrowser } from "./support.mjs";

const { server, browser } = await serverAndBrowser();

const choice = (page) => page.locator("input[name=game]:checked").getAttribute("value");

test("the game that is chosen is there again when the page is loaded again", async (t) => {
  const page = await openPage(t, browser, server);
  await page.goto("/");
  const first = await choice(page);
  const other = GAMES.find((game) => game !== first);
  await page.locator(`input[name=game][value=${other}]`).click();
  assert.equal(new URL(page.url()).hash, `#game=${other}`);
  await page.reload();
  assert.equal(await choice(page), other);
  await page.locator(".opening h2", { hasText: (await server.get(`/v1/games/${other}`)).name }).waitFor();
});

test("an address that names a game that there is not chooses the one that any address does", async (t) => {
  const [plain, strange] = [await openPage(t, browser, server), await openPage(t, browser, server)];
  await plain.goto("/");
  await strange.goto("/#game=no-such-game");
  assert.equal(await choice(strange), await choice(plain));
});

test("one's own tables stand above the form, and go in all tabs when they are forgotten in one", async (t) => {
  const dealt = await Promise.all(GAMES.slice(0, 2).map((game) => server.deal({ game })));
  const page = await openPage(t, browser, server, { seats: dealt.map(({ seat }) => seat) });
  const tab = await page.context().newPage();
  for (const each of [page, tab]) await each.goto("/");
  const own = (each) => each.locator("section[aria-labelledby=own]");
  const [tables, form] = [await own(tab).boundingBox(), await tab.locator(".opening .deal").boundingBox()];
  assert.ok(tables.y + tables.height <= form.y, "they stand above the form");

  for (const left of [1, 0]) {
    await own(page).getByRole("button", { name: /^Forget / }).first().click();
    await tab.waitForFunction((count) => document.querySelectorAll("section[aria-labelledby=own] li").length === count, left);
  }
  await own(tab).waitFor({ state: "detached" });
});

/** Holds back what answers to a wish until that is let go, and counts how often it is asked for. */
async function holdBack(page, path) {
  let letGo = () => {};
  const held = new Promise((resolve) => (letGo = resolve));
  const wishes = { asked: 0, letGo };
  await page.route(path, async (route) => {
    if (route.request().method() !== "POST") return route.continue();
    wishes.asked += 1;
    await held;
    return route.continue();
  });
  return wishes;
}

test("who has chosen another game meanwhile is not taken to the table, and finds it among his own", async (t) => {
  const page = await openPage(t, browser, server);
  await page.goto("/");
  const wishes = await holdBack(page, "**/v1/sessions");
  const asked = page.waitForRequest((request) => request.method() === "POST");
  await press(page, "Deal");
  await asked;
  await page.locator(`input[name=game][value=${GAMES[2]}]`).click();
  wishes.letGo();
  await page.locator("section[aria-labelledby=own] li").waitFor();
  assert.equal(new URL(page.url()).pathname, "/");
});

test("who clicks twice gets one table", async (t) => {
  const { id, token, seat } = await server.deal({ game: GAMES[0] });
  await server.post(`/v1/sessions/${id}/resign`, undefined, token);
  const page = await openPage(t, browser, server, { seats: [seat] });
  await page.goto(`/sessions/${id}`);
  const wishes = await holdBack(page, "**/v1/sessions");
  const button = page.getByRole("button", { name: "Another deal" });
  await button.click();
  await button.click();
  wishes.letGo();
  await page.waitForURL((url) => !url.pathname.includes(id));
  assert.equal(wishes.asked, 1);
});

test("a field that is emptied is no 0, and nothing is asked for before all fields of what is opened are right", async (t) => {
  const page = await openPage(t, browser, server);
  await page.goto("/");
  const asked = [];
  page.on("request", (request) => request.method() === "POST" && asked.push(request.url()));
  const isRight = (field) => field.evaluate((element) => element.validity.valid);
  for (const [label, button] of [["Seats", "Deal"], ["Players", "Open a race"], ["Minutes", "Open a race"]]) {
    const field = page.getByRole("spinbutton", { name: label });
    const usual = await field.inputValue();
    await field.fill("");
    assert.equal(await field.inputValue(), "");
    await press(page, button);
    assert.equal(await isRight(field), false, label);
    await field.fill("9999");
    await press(page, button);
    assert.equal(await isRight(field), false, label);
    await field.fill(usual);
  }
  assert.deepEqual(asked, []);
});

test("what the server says to a wish stands beside the button that asked for it", async (t) => {
  const page = await openPage(t, browser, server);
  await page.goto("/");
  const body = JSON.stringify({ code: "invalid_request", detail: "There is no room." });
  await page.route("**/v1/{sessions,races}", (route) =>
    route.request().method() === "POST" ? route.fulfill({ status: 422, contentType: "application/problem+json", body }) : route.continue(),
  );
  await press(page, "Deal");
  await page.locator(".submit", { hasText: "There is no room." }).waitFor();
  await press(page, "Open a race");
  await page.locator("fieldset.race", { hasText: "There is no room." }).waitFor();
  assert.equal(await page.getByText("There is no room.").count(), 1);
});

test("the field for a seed is in sight as soon as there is one", async (t) => {
  const page = await openPage(t, browser, server, { viewport: { width: 360, height: 640 }, hasTouch: true, isMobile: true });
  await page.goto("/");
  const choice = page.getByLabel("From a seed");
  const bar = () => page.locator(".submit").boundingBox();
  await choice.scrollIntoViewIfNeeded();
  // The choice comes to stand right above the bar with the button.
  const { y, height } = await choice.boundingBox();
  await page.mouse.wheel(0, y + height - (await bar()).y + 8);
  await page.waitForFunction(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done(true)))));
  await choice.click();
  const field = await page.getByLabel("The seed").boundingBox();
  assert.ok(field.y + field.height <= (await bar()).y, "the bar covers it");
});
