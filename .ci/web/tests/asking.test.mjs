/** How often a server is asked that is not ready, that is not there, or that sends away whoever comes. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { PATIENCE, agrees, eventually, openPage, openTable, press, serverAndBrowser, showsVersion } from "./support.mjs";

const WANTED = { game: "napoleons-square", seed: "asking" };

const { server, browser } = await serverAndBrowser();

/** A page in which a test can ask the server as the page's scripts do. */
async function pageWithApi(t) {
  const page = await openPage(t, browser, server);
  await page.goto("/");
  await page.locator(".game").first().waitFor();
  const assets = await page.locator("script[type=module]").getAttribute("src");
  await page.evaluate(async (path) => (window.api = await import(path)), assets.replace("main.js", "api.js"));
  return page;
}

/** Answers 202 so often, then 200, and notes when it was asked. */
async function isReadyAfter(page, count, headers) {
  const asked = [];
  await page.route("**/slow", (route) => {
    asked.push(Date.now());
    const status = asked.length > count ? 200 : 202;
    return route.fulfill({ status, headers, contentType: "application/json", body: "{}" });
  });
  return asked;
}

for (const [says, headers, least] of [["after 2 s", { "retry-after": "2" }, 1_950], ["no time", {}, 950]]) {
  test(`what is not ready is asked for again when the server says so: ${says}`, async (t) => {
    const page = await pageWithApi(t);
    const asked = await isReadyAfter(page, 1, headers);
    await page.evaluate(() => window.api.getWhenReady("/slow"));
    assert.equal(asked.length, 2);
    assert.ok(asked[1] - asked[0] >= least, `asked again after ${asked[1] - asked[0]} ms`);
  });
}

test("who stops waiting asks no more", { timeout: PATIENCE }, async (t) => {
  const page = await pageWithApi(t);
  const asked = await isReadyAfter(page, Infinity, {});
  const ended = await page.evaluate(async () => {
    const stop = new AbortController();
    setTimeout(() => stop.abort(), 500);
    return window.api.getWhenReady("/slow", undefined, stop.signal).catch((error) => error.name);
  });
  assert.equal(ended, "AbortError");
  assert.equal(asked.length, 1);
});

for (const status of [502, 503, 504]) {
  test(`a move that a proxy answers with ${status} is asked for again, and made once`, async (t) => {
    const { page, id } = await openTable(t, browser, server, WANTED);
    await page.route("**/moves", (route) => route.fulfill({ status, body: "no server" }), { times: 1 });
    await press(page, "Draw");
    await showsVersion(page, 2);
    assert.equal((await agrees(page, server, id)).moves, 1);
  });
}

test("a server that lets in and sends away at once is asked less and less often", async (t) => {
  const { id, seat } = await server.deal(WANTED);
  const page = await openPage(t, browser, server, { seats: [seat] });
  await page.addInitScript(() => (Math.random = () => 0.5));
  const asked = [];
  await page.route("**/events", (route) => {
    asked.push(Date.now());
    return route.fulfill({ contentType: "text/event-stream", body: "retry: 2000\n\n" });
  });
  await page.goto(`/sessions/${id}`);
  await eventually(async () => asked.length === 5, "five tries");
  // 250, 500, 1000 and 2000 ms
  assert.ok(asked[4] - asked[0] > 3_500, `five tries in ${asked[4] - asked[0]} ms`);
  await page.unroute("**/events");
  await showsVersion(page, 1);
});
