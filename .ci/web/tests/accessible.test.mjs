/** The table for those who do not see it, or not well, or who want nothing to move. */
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { test } from "node:test";
import { GAMES, agrees, openPage, openTable, playByApi, randomFrom, serverAndBrowser, showsVersion, still } from "./support.mjs";

const SEED = 9;
const AXE = await readFile(new URL("../node_modules/axe-core/axe.min.js", import.meta.url), "utf8");

const { server, browser } = await serverAndBrowser();

/** What axe-core finds that is serious or worse. */
async function findings(page) {
  await still(page);
  await page.evaluate(AXE);
  const { violations } = await page.evaluate(() => globalThis.axe.run());
  return violations
    .filter(({ impact }) => ["serious", "critical"].includes(impact))
    .map(({ id, help, nodes }) => `${id}: ${help}: ${nodes.slice(0, 3).map(({ html, failureSummary }) => `${html} ${failureSummary}`).join(" | ")}`);
}

for (const colorScheme of ["light", "dark"]) {
  test(`nothing serious is found in the lobby, ${colorScheme}`, async (t) => {
    await server.deal({ game: GAMES[1], visibility: "public" });
    const page = await openPage(t, browser, server, { colorScheme });
    await page.goto("/");
    await page.getByText("How it is played").click();
    assert.deepEqual(await findings(page), []);
  });

  for (const game of GAMES) {
    test(`nothing serious is found at a table of ${game}, ${colorScheme}`, async (t) => {
      t.diagnostic(`seed ${SEED}`);
      const { page, id, token } = await openTable(t, browser, server, { game, seed: "for all", seats: 2 }, { colorScheme });
      assert.deepEqual(await findings(page), [], "as it is dealt");
      await playByApi(server, id, token, randomFrom(SEED), 20);
      await agrees(page, server, id);
      await page.keyboard.press("h");
      await page.locator(".saying.shown").waitFor();
      await page.getByText("All that has happened").click();
      await page.locator(".film .entries li").first().waitFor();
      assert.deepEqual(await findings(page), [], "after some moves, with a hint");
      await server.post(`/v1/sessions/${id}/resign`, undefined, token);
      await page.getByText("It matches the commitment").or(page.getByText("Who made this table chose it.")).waitFor();
      assert.deepEqual(await findings(page), [], "when it is over");

      const watcher = await openPage(t, browser, server, { colorScheme });
      await watcher.goto(`/sessions/${id}`);
      await watcher.getByText("You are watching.").waitFor();
      assert.deepEqual(await findings(watcher), [], "for who watches");
    });
  }

  test(`nothing serious is found at a race, ${colorScheme}`, async (t) => {
    const { race, token, seat } = await server.post("/v1/races", { game: GAMES[0], seats: 2 });
    await server.post(`/v1/races/${race.id}/players`, {});
    await server.post(`/v1/races/${race.id}/start`, undefined, token);
    const seats = [{ kind: "race", id: race.id, token, seat, game: race.game, at: 1 }];
    const page = await openPage(t, browser, server, { colorScheme, seats });
    await page.goto(`/races/${race.id}`);
    await page.locator(".standings").waitFor();
    assert.deepEqual(await findings(page), []);
    await page.getByRole("button", { name: "To my table" }).click();
    await page.locator(".standings").waitFor();
    assert.deepEqual(await findings(page), []);
  });
}

test("every card that can be reached has a name, and suits differ in shape", async (t) => {
  const { page, id } = await openTable(t, browser, server, { game: "napoleons-square", seed: "names" });
  const session = await server.session(id);
  const names = await page.locator(".card:not([aria-hidden=true])").evaluateAll((all) => all.map((card) => card.getAttribute("aria-label")));
  const faceUp = session.piles.flatMap(({ cards }) => cards).length;
  assert.equal(names.filter((name) => / of (clubs|diamonds|hearts|spades), .*\d+ of \d+$/.test(name)).length, faceUp);
  assert.ok(names.includes("a card face down, Stock, 56 of 56"));
  const shapes = await page.locator("symbol path").evaluateAll((all) => all.map((path) => path.getAttribute("d")));
  assert.equal(new Set(shapes).size, 4);
});

/** How often something on the board moves of itself while a card is drawn. */
async function movements(page) {
  await page.evaluate(() => {
    window.movements = 0;
    for (const kind of ["transitionrun", "animationstart"]) document.addEventListener(kind, ({ target }) => (window.movements += target.closest(".board") ? 1 : 0));
  });
  await page.keyboard.press("d");
  await showsVersion(page, 2);
  await page.keyboard.press("h");
  await page.locator(".hinted:visible").first().waitFor();
  return page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done(window.movements)))));
}

test("cards glide, but not for who wants nothing to move", async (t) => {
  const wanted = { game: "napoleons-square", seed: "motion" };
  const { page: moving } = await openTable(t, browser, server, wanted, { reducedMotion: "no-preference" });
  assert.ok((await movements(moving)) > 0);
  const { page: resting } = await openTable(t, browser, server, wanted, { reducedMotion: "reduce" });
  assert.equal(await movements(resting), 0);
  const durations = await resting.locator(".card").evaluateAll((all) => [...new Set(all.map((card) => getComputedStyle(card).transitionDuration))]);
  assert.deepEqual(durations, ["0s"]);
});
