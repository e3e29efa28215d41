/** The history of a session: one looks back at it, and nothing can be played there. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { Mouse } from "./hands.mjs";
import { agrees, openTable, playByApi, randomFrom, serverAndBrowser, shows, showsVersion, still } from "./support.mjs";

const SEED = 11;
const NEWEST = 13;

const { server, browser } = await serverAndBrowser();

/** A table at which some moves were made. */
async function playedTable(t, game) {
  t.diagnostic(`seed ${SEED}`);
  const table = await openTable(t, browser, server, { game, seed: "the past" });
  await playByApi(server, table.id, table.token, randomFrom(SEED), NEWEST - 1);
  await showsVersion(table.page, NEWEST);
  return table;
}

/** Holds what is shown against a version as the server tells it. */
async function showsThe(page, id, version) {
  await showsVersion(page, version);
  await shows(page, server, await server.get(`/v1/sessions/${id}?version=${version}`));
}

test("one steps back and forth, and what is shown is what was", async (t) => {
  const { page, id } = await playedTable(t, "topsy-turvy-queens");
  const press = (name) => page.getByRole("button", { name, exact: true }).click();
  for (const version of [NEWEST - 1, NEWEST - 2, NEWEST - 3]) {
    await press("A step back");
    await showsThe(page, id, version);
  }
  await press("A step forward");
  await showsThe(page, id, NEWEST - 2);
  await press("To the deal");
  await showsThe(page, id, 1);
  await press("To the present");
  await agrees(page, server, id);
});

test("the slider goes to any version", async (t) => {
  const { page, id } = await playedTable(t, "napoleons-square");
  const slider = page.getByRole("slider", { name: "Step" });
  for (const version of [5, 2, 9]) {
    await slider.fill(String(version));
    await showsThe(page, id, version);
  }
  await slider.press("ArrowLeft");
  await showsThe(page, id, 8);
  await slider.press("End");
  await agrees(page, server, id);
});

test("a page that was loaded later shows versions that it has never seen", async (t) => {
  const { page, id } = await playedTable(t, "captive-queens");
  await page.reload();
  await showsVersion(page, NEWEST);
  await page.getByRole("button", { name: "A step back" }).click();
  await showsThe(page, id, NEWEST - 1);
  await page.getByText("All that has happened").click();
  await page.locator(".film .entries button").nth(3).click();
  await showsThe(page, id, 4);
});

test("a film begins with the deal, and goes from where one looks to the present, step by step", async (t) => {
  const { page, id } = await playedTable(t, "captive-queens");
  const begins = NEWEST - 4;
  await page.getByRole("button", { name: "Play as a film" }).click();
  await showsThe(page, id, 1);
  await page.getByRole("button", { name: "Stop the film" }).click();
  await page.getByRole("slider", { name: "Step" }).fill(String(begins));
  await showsThe(page, id, begins);
  await page.evaluate(() => {
    window.versions = [];
    const output = document.querySelector(".film output");
    const note = () => window.versions.push(Number(output.textContent.match(/\d+/)[0]));
    new MutationObserver(note).observe(output, { subtree: true, childList: true, characterData: true });
  });
  await page.getByRole("button", { name: "Play as a film" }).click();
  await showsThe(page, id, NEWEST);
  await page.getByRole("button", { name: "Play as a film" }).waitFor();
  const seen = [...new Set(await page.evaluate(() => window.versions))];
  assert.deepEqual(seen, Array.from({ length: NEWEST - begins }, (_, index) => begins + 1 + index));
  await agrees(page, server, id);
});

test("nothing can be played in the past", async (t) => {
  const { page, id } = await playedTable(t, "napoleons-square");
  await page.getByRole("button", { name: "To the deal" }).click();
  await showsThe(page, id, 1);
  await page.getByText("nothing can be played here").waitFor();
  const asked = [];
  page.on("request", (request) => request.method() !== "GET" && asked.push(request.url()));
  await still(page);
  const past = await server.get(`/v1/sessions/${id}?version=1`);
  const mouse = new Mouse(page, () => 0);
  await mouse.make(past.legal_moves.find(({ type }) => type === "move"), past);
  await mouse.make({ type: "draw" }, past);
  const saying = page.locator(".saying.shown", { hasText: "You are looking back" });
  await saying.waitFor();
  for (const key of ["d", "u", "r", "a"]) {
    const before = await saying.locator("span").elementHandle();
    await page.keyboard.press(key);
    await page.waitForFunction((said) => !said.isConnected, before);
  }
  for (const name of ["Draw", "Undo", "Redo", "Send up", "Play on", "Give up"]) {
    assert.equal(await page.getByRole("button", { name, exact: true }).getAttribute("aria-disabled"), "true", name);
    await page.getByRole("button", { name, exact: true }).click({ force: true });
  }
  await showsThe(page, id, 1);
  assert.deepEqual(asked, []);
  assert.equal((await server.session(id)).version, NEWEST);
});

test("what others do meanwhile is there when one comes back", async (t) => {
  const { page, id, token } = await playedTable(t, "napoleons-square");
  await page.getByRole("button", { name: "To the deal" }).click();
  await showsThe(page, id, 1);
  await server.post(`/v1/sessions/${id}/moves`, { type: "draw" }, token);
  await page.getByText(`Step 1 of ${NEWEST + 1}:`).waitFor();
  await showsThe(page, id, 1);
  await page.getByRole("button", { name: "To the present" }).click();
  await agrees(page, server, id);
});
