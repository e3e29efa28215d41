/** A server that dies and comes back under an open table. */
import assert from "node:assert/strict";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, beforeEach, afterEach, test } from "node:test";
import { Server, agrees, launch, openTable, playByApi, randomFrom, showsVersion } from "./support.mjs";

const SEED = 3;

let browser;
let server;
let folder;
before(async () => {
  browser = await launch();
});
after(() => browser?.close());
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "patience-table-"));
  server = await Server.start(["--store", `sqlite:${join(folder, "sessions.db")}`]);
});
afterEach(async () => {
  await server.stop();
  await rm(folder, { recursive: true });
});

const press = (page, name) => page.getByRole("button", { name, exact: true }).click();

test("a lost connection is shown and resumed, nothing is lost, and play goes on", async (t) => {
  const { page, id, token } = await openTable(t, browser, server, { game: "topsy-turvy-queens", seed: "a power cut" });
  await playByApi(server, id, token, randomFrom(SEED), 10);
  const before = await agrees(page, server, id);
  await server.kill();
  await page.getByText("Connection lost: trying again …").waitFor();
  await server.restart();
  await page.getByText("Connected", { exact: true }).waitFor();
  assert.deepEqual(await agrees(page, server, id), before);
  await press(page, "Draw");
  await showsVersion(page, before.version + 1);
  await agrees(page, server, id);
});

test("a move that is made while the server is away is made once when it is back", async (t) => {
  const { page, id } = await openTable(t, browser, server, { game: "napoleons-square", seed: "a power cut" });
  await server.kill();
  await page.getByText("Connection lost: trying again …").waitFor();
  const failed = page.waitForEvent("requestfailed", (request) => request.url().endsWith("/moves"));
  await press(page, "Draw");
  await failed;
  await server.restart();
  await showsVersion(page, 2);
  await page.getByText("Connected", { exact: true }).waitFor();
  assert.equal((await agrees(page, server, id)).moves, 1);
  await press(page, "Draw");
  await showsVersion(page, 3);
  await agrees(page, server, id);
});

test("an answer that is lost on its way is asked for again, and the move made once", async (t) => {
  const { page, id } = await openTable(t, browser, server, { game: "napoleons-square", seed: "a power cut" });
  let lost = 0;
  await page.route("**/moves", async (route) => {
    const answer = await route.fetch();
    lost += 1;
    if (lost > 1) return route.fulfill({ response: answer });
    return route.abort("connectionreset");
  });
  await press(page, "Draw");
  await showsVersion(page, 2);
  await press(page, "Draw");
  await showsVersion(page, 3);
  assert.equal((await agrees(page, server, id)).moves, 2);
  assert.equal(lost, 3);
});
