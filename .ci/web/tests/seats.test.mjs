/** What the browser remembers of its seats: what makes it forget one, and what does not. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { openPage, press, seatIn, serverAndBrowser, showsVersion } from "./support.mjs";

const WANTED = { game: "napoleons-square", seed: "a seat" };

const { server, browser } = await serverAndBrowser();

for (const [status, contentType] of [[401, "text/html"], [403, "text/plain"], [404, "application/json"]]) {
  test(`a proxy that answers with ${status} once takes nobody's seat`, async (t) => {
    const { id, seat } = await server.deal(WANTED);
    const page = await openPage(t, browser, server, { seats: [seat] });
    const body = JSON.stringify({ code: "no_such_path" });
    await page.route("**/events", (route) => route.fulfill({ status, contentType, body }), { times: 1 });
    await page.goto(`/sessions/${id}`);
    await showsVersion(page, 1);
    await press(page, "Draw");
    await showsVersion(page, 2);
    assert.equal((await seatIn(page, id)).token, seat.token);
  });
}

test("a seat at a table that is not there for it any more is forgotten", async (t) => {
  const { id, seat } = await server.deal({ ...WANTED, visibility: "private" });
  const page = await openPage(t, browser, server, { seats: [{ ...seat, token: "0".repeat(seat.token.length) }] });
  await page.goto(`/sessions/${id}`);
  await page.getByText("There is no such table").waitFor();
  assert.equal(await seatIn(page, id), undefined);
});

test("an invite that is pasted into the address of a page that is open lets in", async (t) => {
  const { id, seat } = await server.deal({ ...WANTED, visibility: "private", seats: 2 });
  const page = await openPage(t, browser, server);
  await page.goto(`/sessions/${id}`);
  await page.getByText("There is no such table").waitFor();
  await page.goto(`/sessions/${id}#invite=${seat.invite}`);
  await press(page, "Take a seat");
  await page.locator(".do-draw").waitFor();
});

test("what is no seat is passed over where seats are kept", async (t) => {
  const { id, seat } = await server.deal(WANTED);
  const { at, ...timeless } = { ...seat, id: "other" };
  const odd = [timeless, null, 7, { id: "bare" }, { ...seat, id: "strange", kind: "boat" }, { ...seat, at: 9e15, id: "late" }];
  const page = await openPage(t, browser, server, { seats: [...odd, seat] });
  await page.goto("/");
  await page.locator("section[aria-labelledby=own] li").waitFor();
  assert.equal(await page.locator("section[aria-labelledby=own] a").getAttribute("href"), `/sessions/${id}`);
});

test("a race's page changes nothing about a table that one has, nor finds again one that was forgotten", async (t) => {
  const { race, token, seat } = await server.post("/v1/races", { game: "captive-queens", seats: 2 });
  await server.post(`/v1/races/${race.id}/players`, {});
  await server.post(`/v1/races/${race.id}/start`, undefined, token);
  const own = { kind: "race", id: race.id, token, seat, game: race.game, at: 1 };
  const page = await openPage(t, browser, server, { seats: [own] });
  await page.goto(`/races/${race.id}`);
  const button = page.getByRole("button", { name: "To my table" });
  await button.waitFor();
  assert.equal(await page.evaluate(() => JSON.parse(localStorage.getItem("patience.seats")).length), 1);

  await button.click();
  await page.waitForURL(/\/sessions\//);
  await page.locator(".do-draw").waitFor();
  const id = new URL(page.url()).pathname.split("/")[2];
  const taken = await seatIn(page, id);
  await page.goto(`/races/${race.id}`);
  await button.click();
  await page.locator(".do-draw").waitFor();
  assert.deepEqual(await seatIn(page, id), taken);
});
