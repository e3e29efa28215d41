/** What the pages load: from where, how much of it, and that nothing in them is forbidden. */
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { test } from "node:test";
import { openPage, openTable, serverAndBrowser, sessionOf, showsVersion } from "./support.mjs";

/** How much may come over the wire until a table is there, in bytes. */
const MOST = 120_000;

const { server, browser } = await serverAndBrowser();

/** Notes what a page asks of others, what its console complains of, and what its policy forbids. */
async function watch(page) {
  const complaints = [];
  page.on("request", (request) => {
    if (new URL(request.url()).origin !== server.origin && !request.url().startsWith("data:")) complaints.push(`asks for ${request.url()}`);
  });
  page.on("console", (message) => ["error", "warning"].includes(message.type()) && complaints.push(message.text()));
  page.on("pageerror", (error) => complaints.push(String(error)));
  await page.exposeFunction("forbidden", (what) => complaints.push(`forbidden: ${what}`));
  await page.addInitScript(() => {
    addEventListener("securitypolicyviolation", ({ violatedDirective, blockedURI }) => window.forbidden(`${violatedDirective} ${blockedURI}`));
  });
  return complaints;
}

test("lobby and table ask their own server only, and nothing is complained of", async (t) => {
  const page = await openPage(t, browser, server);
  const complaints = await watch(page);
  await page.goto("/");
  await page.getByText("How it is played").click();
  await page.getByRole("button", { name: "Deal", exact: true }).click();
  await sessionOf(page);
  await page.keyboard.press("d");
  await showsVersion(page, 2);
  await page.getByRole("button", { name: "A step back" }).click();
  await showsVersion(page, 1);
  await page.getByRole("button", { name: "To the present" }).click();
  await page.getByRole("button", { name: "Give up" }).click();
  await page.getByRole("group", { name: "Give up?" }).getByRole("button", { name: "Give up" }).click();
  await page.getByText("It matches the commitment").waitFor();
  assert.deepEqual(complaints, []);
});

test(`a table is there after less than ${MOST} bytes`, async (t) => {
  const { id, seat } = await server.deal({ game: "topsy-turvy-queens" });
  const page = await openPage(t, browser, server, { seats: [seat], asServed: true });
  const wire = await page.context().newCDPSession(page);
  let bytes = 0;
  wire.on("Network.loadingFinished", ({ encodedDataLength }) => (bytes += encodedDataLength));
  await wire.send("Network.enable");
  await page.goto(`/sessions/${id}`, { waitUntil: "load" });
  await showsVersion(page, 1);
  t.diagnostic(`${bytes} bytes`);
  assert.ok(bytes > 20_000 && bytes < MOST, `${bytes} bytes`);
});

test("what pages load has a name of its own and is kept", async (t) => {
  const page = await openPage(t, browser, server, { asServed: true });
  const loaded = [];
  page.on("response", (response) => response.url().includes("/assets/") && loaded.push(response));
  await page.goto("/");
  await page.locator(".game").first().waitFor();
  assert.ok(loaded.length > 5);
  for (const response of loaded) {
    const { "cache-control": cached, "content-encoding": encoding } = await response.allHeaders();
    assert.match(cached, /immutable/, response.url());
    assert.equal(encoding, "gzip", response.url());
  }
});

test("the reference shows every operation, and one can try them", async (t) => {
  const page = await openPage(t, browser, server);
  const complaints = await watch(page);
  await page.goto("/docs");
  await page.locator(".opblock").first().waitFor();
  const contract = await readFile(new URL("../../../openapi.yaml", import.meta.url), "utf8");
  assert.equal(await page.locator(".opblock").count(), contract.match(/^ +operationId:/gm).length);

  for (const [operation, path] of [["checkHealth", "/healthz"], ["listGames", "/v1/games"]]) {
    const block = page.locator(".opblock").filter({ has: page.locator(`[data-path="${path}"]`) });
    await block.locator(".opblock-summary-control").click();
    const answer = page.waitForResponse((response) => new URL(response.url()).pathname === path);
    await block.getByRole("button", { name: "Execute" }).click();
    assert.equal((await answer).status(), 200, operation);
    await block.locator(".live-responses-table .response-col_status", { hasText: "200" }).waitFor();
  }
  assert.deepEqual(complaints, []);
});
