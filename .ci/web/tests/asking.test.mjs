/** How often a server is asked that is not ready, that is not there, or that sends away whoever comes. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { PATIENCE, agrees, eventually, openPage, openTable, press, serverAndBrowser, showsVersion } from "./support.mjs";

const WANTED = { game: "napoleons-square", seed: "asking" };

const { server, browser } = await serverAndBrowser();

/** A page in which a test can use one of the page's scripts, under its name. */
async function pageWith(t, name) {
  const page = await openPage(t, browser, server);
  await page.goto("/");
  await page.locator(".game").first().waitFor();
  const main = await page.locator("script[type=module]").getAttribute("src");
  const path = main.replace("main.js", `${name}.js`);
  await page.evaluate(async ([as, from]) => (window[as] = await import(from)), [name, path]);
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
    const page = await pageWith(t, "api");
    const asked = await isReadyAfter(page, 1, headers);
    await page.evaluate(() => window.api.getWhenReady("/slow"));
    assert.equal(asked.length, 2);
    assert.ok(asked[1] - asked[0] >= least, `asked again after ${asked[1] - asked[0]} ms`);
  });
}

test("who stops waiting asks no more", { timeout: PATIENCE }, async (t) => {
  const page = await pageWith(t, "api");
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

/** Lets no try of a page take as long as it may. */
function hurry(page) {
  return page.addInitScript(() => {
    const real = AbortSignal.timeout.bind(AbortSignal);
    AbortSignal.timeout = (milliseconds) => real(milliseconds / 20);
  });
}

test("a move that is never answered is asked for again, and made once", async (t) => {
  const { id, seat } = await server.deal(WANTED);
  const page = await openPage(t, browser, server, { seats: [seat] });
  await hurry(page);
  await page.goto(`/sessions/${id}`);
  await showsVersion(page, 1);
  await page.route("**/moves", () => undefined, { times: 1 });
  await press(page, "Draw");
  await showsVersion(page, 2);
  assert.equal((await agrees(page, server, id)).moves, 1);
});

test("what was asked for behind a move that is not made is not made either", async (t) => {
  const { page, id } = await openTable(t, browser, server, WANTED);
  let asked = 0;
  await page.route("**/moves", async (route) => {
    asked += 1;
    if (asked > 1) return route.continue();
    await page.keyboard.press("d");
    await page.keyboard.press("d");
    const problem = { code: "illegal_move", detail: "Not now." };
    return route.fulfill({ status: 422, contentType: "application/problem+json", body: JSON.stringify(problem) });
  });
  await page.keyboard.press("d");
  await page.locator(".saying.shown", { hasText: "Not now." }).waitFor();
  await page.keyboard.press("d");
  await showsVersion(page, 2);
  assert.equal(asked, 2);
  assert.equal((await agrees(page, server, id)).version, 2);
});

test("what is read is asked for again when its answer was lost", async (t) => {
  const page = await pageWith(t, "api");
  let lost = 0;
  await page.route("**/read", (route) => {
    if (lost === 2) return route.fulfill({ contentType: "application/json", body: '{"read":true}' });
    lost += 1;
    return route.abort("connectionreset");
  });
  assert.deepEqual(await page.evaluate(() => window.api.get("/read")), { read: true });
});

test("what is refused is not asked for again", async (t) => {
  const page = await pageWith(t, "api");
  let asked = 0;
  await page.route("**/read", (route) => {
    asked += 1;
    return route.fulfill({ status: 409, contentType: "application/problem+json", body: '{"code":"no_moves","detail":"None."}' });
  });
  assert.equal(await page.evaluate(() => window.api.get("/read").catch((error) => error.message)), "None.");
  assert.equal(asked, 1);
});

test("who listens badly to a stream does not lose the connection", async (t) => {
  const { id } = await server.deal(WANTED);
  const page = await pageWith(t, "stream");
  const heard = await page.evaluate(async (path) => {
    const told = [];
    addEventListener("error", (event) => {
      event.preventDefault();
      told.push(event.message);
    });
    await new Promise((done) => {
      window.stream.follow(path, undefined, {
        connection: (now) => told.push(now),
        event: (name) => {
          if (name === "presence") return done();
          throw new Error(`bad at ${name}`);
        },
      });
    });
    return told.filter((each) => !each.includes("outlook"));
  }, `/v1/sessions/${id}`);
  assert.deepEqual(heard, ["connecting", "open", "Uncaught Error: bad at snapshot"]);
});

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
