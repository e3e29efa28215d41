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
