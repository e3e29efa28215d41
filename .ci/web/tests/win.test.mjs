/** Captive Queens is played to a win, and what can be done then. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { agrees, openPage, seatIn, serverAndBrowser, sessionOf, showsVersion } from "./support.mjs";

const BY_HAND = 8;

const { server, browser } = await serverAndBrowser();

/** Draws by clicking the stock, and sends cards up by double clicks. */
async function playByHand(page, id) {
  for (let made = 0; made < BY_HAND; made += 1) {
    const { version, legal_moves } = await agrees(page, server, id);
    if (legal_moves.some(({ type }) => type === "move")) await page.locator("[data-pile=waste]:not([aria-hidden=true])").dblclick();
    else await page.locator("[data-pile=stock]").last().click();
    await showsVersion(page, version + 1);
  }
}

test("Captive Queens is won, its seed checked, and the same deal and another one dealt", async (t) => {
  const page = await openPage(t, browser, server);
  await page.goto("/");
  await page.locator("input[name=game][value=captive-queens]").click();
  await page.getByLabel("One that can be won").click();
  await page.getByRole("button", { name: "Deal", exact: true }).click();
  const id = await sessionOf(page);

  await playByHand(page, id);
  for (let left = 60; (await agrees(page, server, id)).status === "playing"; left -= 1) {
    assert.ok(left > 0, "it is won some day");
    const { version } = await server.session(id);
    await page.getByRole("button", { name: "Play on" }).click();
    await showsVersion(page, version + 1);
  }
  const won = await agrees(page, server, id);
  assert.equal(won.status, "won");
  await page.getByText(/^Won, with \d+ moves\.$/).waitFor();
  await page.getByText(`The seed was ${won.deal.seed}. It matches the commitment`).waitFor();

  assert.equal(await page.getByRole("button", { name: "Could it be won?" }).count(), 0, "it was won");

  await page.getByRole("button", { name: "The same deal again" }).click();
  await page.waitForURL((url) => !url.pathname.includes(id));
  const again = await sessionOf(page);
  await showsVersion(page, 1);
  await playByHand(page, again);
  const then = await server.session(id, undefined);
  const early = await server.get(`/v1/sessions/${id}?version=${BY_HAND + 1}`);
  assert.deepEqual((await server.session(again)).piles, early.piles, "the same moves lead to the same table");
  assert.equal(then.version, won.version);

  await page.goBack();
  await showsVersion(page, won.version);
  await page.getByRole("button", { name: "Another deal that can be won" }).click();
  await page.waitForURL((url) => !url.pathname.includes(id));
  const other = await sessionOf(page);
  assert.notEqual(other, again);
  assert.deepEqual((await agrees(page, server, other)).options, won.options);
  assert.equal((await server.session(other)).deal.source, "winnable");
  assert.ok(await seatIn(page, other));
});

test("a game that was given up says so, and how it could have been won", async (t) => {
  const page = await openPage(t, browser, server);
  await page.goto("/");
  await page.getByLabel("One that can be won").click();
  await page.getByRole("button", { name: "Deal", exact: true }).click();
  const id = await sessionOf(page);
  await page.getByRole("button", { name: "Give up" }).click();
  await page.getByRole("group", { name: "Give up?" }).getByRole("button", { name: "Give up" }).click();
  await page.getByText("Given up, with 0 of 52 cards placed.").waitFor();
  await page.getByText("It matches the commitment").waitFor();
  assert.equal((await agrees(page, server, id)).status, "resigned");
  await page.getByRole("button", { name: "Could it be won?" }).click();
  await page.getByText(/^Yes, with \d+ moves/).click();
  const line = await server.get(`/v1/sessions/${id}/solution`);
  assert.equal(await page.locator(".ending .entries li").count(), line.moves.length);
});
