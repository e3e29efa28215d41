/** Moves that were made at once, shown one after the other. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { between } from "../../../src/web/static/between.js";
import { agrees, eventually, openTable, press, serverAndBrowser, showsVersion } from "./support.mjs";

const { server, browser } = await serverAndBrowser();

/** The piles after each of some moves, made one by one. */
async function oneByOne(wanted, moves) {
  const { session, token } = await server.post("/v1/sessions", wanted);
  const piles = [session.piles];
  for (const move of moves) {
    piles.push((await server.post(`/v1/sessions/${session.id}/moves`, move, token)).piles);
  }
  return piles;
}

/** Holds the tables between the first and the last against what they were. What is known lies face up as it did. */
function agreesWith(found, piles) {
  assert.equal(found.length, piles.length - 2);
  found.forEach((shot, at) => {
    piles[at + 1].forEach((pile, which) => {
      const { cards, face_down, ...rest } = shot[which];
      const hidden = pile.face_down + pile.cards.length - cards.length;
      assert.deepEqual({ ...rest, face_down }, { id: pile.id, kind: pile.kind, face_down: hidden }, `move ${at}`);
      assert.deepEqual(cards, pile.cards.slice(pile.cards.length - cards.length), `move ${at}`);
    });
  });
}

test("a whole game of Captive Queens that was played at once", async () => {
  for (const seed of ["between 1", "between 2", "between 3"]) {
    const wanted = { game: "captive-queens", seed };
    const { session, token } = await server.post("/v1/sessions", wanted);
    const after = await server.post(`/v1/sessions/${session.id}/autoplay`, { draws: true }, token);
    const { items } = await server.get(`/v1/sessions/${session.id}/history?after=1`, token);
    const [{ moves }] = items;
    const found = between(session.piles, moves, after.piles);
    const piles = await oneByOne(wanted, moves);
    agreesWith(found, piles);
    // In the end all cards are seen, so all are known.
    found.forEach((shot, at) => assert.deepEqual(shot, piles[at + 1], `${seed}, move ${at}`));
  }
});

test("captives that are freed on the way, and cards that are turned up and down again", async () => {
  const wanted = { game: "topsy-turvy-queens", pysolfc: "1" };
  const { session, token } = await server.post("/v1/sessions", wanted);
  await server.post(`/v1/sessions/${session.id}/resign`, undefined, token);
  const solution = () => server.get(`/v1/sessions/${session.id}/solution`, token);
  await eventually(async () => (await solution()).verdict === "won", "a way to win");
  const { moves } = await solution();
  const piles = await oneByOne(wanted, moves);
  for (const length of [2, 7, 40, moves.length]) {
    for (let first = 0; first + length <= moves.length; first += length) {
      const some = piles.slice(first, first + length + 1);
      agreesWith(between(some[0], moves.slice(first, first + length), some.at(-1)), some);
    }
  }
});

/** A table at which a whole game was played at once. */
async function playedOn(t) {
  const table = await openTable(t, browser, server, { game: "captive-queens", seed: "between 1" });
  await press(table.page, "Play on");
  await showsVersion(table.page, 2);
  return table;
}

test("a film shows each of many moves that were made at once", async (t) => {
  const { page, id } = await playedOn(t);
  const { moves } = await server.session(id);
  assert.ok(moves > 50, `${moves} moves`);
  await page.evaluate(() => {
    window.counts = new Set();
    window.told = [];
    const count = () => window.counts.add(document.querySelectorAll('[data-pile^="foundation"]').length);
    const facts = document.querySelector(".facts");
    const note = () => window.told.push([...facts.querySelectorAll("dd")].map((fact) => parseInt(fact.textContent, 10)));
    new MutationObserver(note).observe(facts, { subtree: true, characterData: true, childList: true });
    new MutationObserver(count).observe(document.querySelector(".board"), { subtree: true, childList: true, attributes: true });
  });
  await page.getByRole("button", { name: "Play as a film" }).click();
  await page.waitForFunction(() => [1, 2, 3].every((count) => window.counts.has(count)), undefined, { timeout: 15_000 });
  await page.getByText("Step 1 of 2:").waitFor();
  const told = await page.evaluate(() => window.told);
  assert.ok([1, 2, 3].every((placed) => told.some(([first]) => first === placed)), "cards are counted as they are placed");
  await page.getByRole("button", { name: "Stop the film" }).click();
  await page.getByRole("button", { name: "To the present" }).click();
  await agrees(page, server, id);
});

test("a film that was stopped between two versions shows no card that was never there", async (t) => {
  const { page } = await playedOn(t);
  const placed = (count) => page.waitForFunction((least) => document.querySelectorAll('[data-pile^="foundation"]').length >= least, count);
  await press(page, "Play as a film");
  await placed(3);
  await press(page, "Stop the film");
  await page.evaluate(() => {
    window.wrong = [];
    const board = document.querySelector(".board");
    const note = () => {
      const down = board.querySelectorAll('[data-face="down"]:not([data-pile="stock"])').length;
      const queens = board.querySelectorAll('[data-pile="queens"]').length;
      if (down > 0 || queens > 4) window.wrong.push([down, queens]);
    };
    new MutationObserver(note).observe(board, { subtree: true, childList: true, attributes: true });
  });
  await press(page, "Play as a film");
  await page.waitForFunction(() => document.querySelectorAll('[data-pile^="foundation"]').length < 3);
  await placed(5);
  assert.deepEqual(await page.evaluate(() => window.wrong), []);
});

test("whoever goes elsewhere while a film waits for the server stays there", async (t) => {
  const { page } = await playedOn(t);
  let asked = () => {};
  const isAsked = new Promise((resolve) => (asked = resolve));
  let answer = () => {};
  const mayAnswer = new Promise((resolve) => (answer = resolve));
  await page.route("**/history?*", async (route) => {
    asked();
    await mayAnswer;
    await route.continue();
  });
  await press(page, "Play as a film");
  await isAsked;
  await press(page, "To the present");
  await showsVersion(page, 2);
  await page.evaluate(() => {
    window.shown = [];
    const output = document.querySelector(".film output");
    new MutationObserver(() => window.shown.push(output.textContent)).observe(output, { subtree: true, childList: true, characterData: true });
  });
  const answered = page.waitForResponse("**/history?*");
  answer();
  await answered;
  await page.getByRole("button", { name: "Play as a film" }).waitFor();
  assert.deepEqual(await page.evaluate(() => window.shown), []);
});
