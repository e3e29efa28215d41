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
  const [tables, form] = [await own(tab).boundingBox(), await tab.locator(".opening form").boundingBox()];
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
