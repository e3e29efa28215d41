/**
 * What the tests of the table share: a server of their own, a browser, and ways to hold what a page shows against what
 * the server says.
 *
 * `PATIENCE_PROGRAM` is the program that is started, `PATIENCE_CHROMIUM` the browser. With `PATIENCE_WEB_FROM_DISK` the
 * page's files come from that folder and not from the program.
 */
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { after } from "node:test";
import { createInterface } from "node:readline";
import { chromium } from "playwright-core";

const PROGRAM = process.env.PATIENCE_PROGRAM ?? new URL("../../../target/release/patience", import.meta.url).pathname;
const CHROMIUM = process.env.PATIENCE_CHROMIUM ?? "/usr/bin/chromium";
const FROM_DISK = process.env.PATIENCE_WEB_FROM_DISK;

/** How long is waited for anything to come true, in milliseconds. */
export const PATIENCE = Number(process.env.PATIENCE_TEST_WAIT ?? 15_000);

/** How many cards are drawn of a pile that is not spread. */
const VISIBLE = 3;

export const GAMES = ["captive-queens", "napoleons-square", "topsy-turvy-queens"];

/** A server that tests have for themselves. */
export class Server {
  #child;

  /** @param {string[]} flags besides the usual ones @param {number} port 0 for a free one */
  static async start(flags = [], port = 0) {
    const server = new Server();
    server.flags = flags;
    await server.#run(port);
    return server;
  }

  async #run(port) {
    const usual = ["--listen", `127.0.0.1:${port}`, "--rate-creates", "0", "--rate-moves", "0", "--winnable-deals", "4"];
    this.#child = spawn(PROGRAM, [...usual, ...this.flags], { stdio: ["ignore", "pipe", "inherit"] });
    const lines = createInterface({ input: this.#child.stdout });
    const address = await new Promise((resolve, reject) => {
      lines.on("line", (line) => line.includes('"message":"listening"') && resolve(JSON.parse(line).address));
      this.#child.once("error", reject);
      this.#child.once("exit", (code) => reject(new Error(`The server has ended with ${code}.`)));
    });
    this.origin = `http://${address}`;
    this.port = Number(address.split(":").at(-1));
  }

  /** Ends it as a power cut does. */
  async kill() {
    const gone = once(this.#child, "exit");
    this.#child.kill("SIGKILL");
    await gone;
  }

  /** Starts it again, at the same address. */
  async restart() {
    await this.#run(this.port);
  }

  async stop() {
    if (this.#child.exitCode !== null || this.#child.signalCode !== null) return;
    await this.kill();
  }

  /** @param {string} path @param {string} [token] */
  async get(path, token) {
    return this.#ask("GET", path, undefined, token);
  }

  /** @param {string} path @param {unknown} body @param {string} [token] */
  async post(path, body, token) {
    return this.#ask("POST", path, body, token);
  }

  async #ask(method, path, body, token) {
    const headers = { ...(token && { authorization: `Bearer ${token}` }), ...(body && { "content-type": "application/json" }) };
    const response = await fetch(this.origin + path, { method, headers, body: body && JSON.stringify(body) });
    const told = await response.json();
    return response.ok ? told : Promise.reject(Object.assign(new Error(told.detail), { status: response.status, told }));
  }

  /**
   * A session, and the seat in it as the page remembers one.
   *
   * @param {object} wanted
   */
  async deal(wanted) {
    const { session, token, seat, invite } = await this.post("/v1/sessions", wanted);
    return { session, id: session.id, token, seat: { kind: "session", id: session.id, token, seat, game: session.game, at: 1, invite } };
  }

  /** A session as it stands. @param {string} id @param {string} [token] */
  session(id, token) {
    return this.get(`/v1/sessions/${id}`, token);
  }
}

export function launch() {
  return chromium.launch({ executablePath: CHROMIUM, args: ["--no-sandbox"] });
}

/** A server and a browser for all tests of a file, which end after them. */
export async function serverAndBrowser() {
  const [server, browser] = await Promise.all([Server.start(), launch()]);
  after(async () => {
    await browser.close();
    await server.stop();
  });
  return { server, browser };
}

/** Presses a button by its name. */
export function press(page, name) {
  return page.getByRole("button", { name, exact: true }).click();
}

/**
 * A page in a browser of its own as it were, closed after the test, in which nothing may throw.
 *
 * @param {import("node:test").TestContext} t
 * @param {import("playwright-core").Browser} browser
 * @param {Server} server
 * @param {object} [options] `seats`: those that the browser remembers; `asServed`: nothing from disk; the rest is
 *   playwright's
 */
export async function openPage(t, browser, server, { seats = [], asServed = false, ...options } = {}) {
  const localStorage = [{ name: "patience.seats", value: JSON.stringify(seats) }];
  const context = await browser.newContext({
    baseURL: server.origin,
    viewport: { width: 1280, height: 900 },
    ...(seats.length > 0 && { storageState: { cookies: [], origins: [{ origin: server.origin, localStorage }] } }),
    ...options,
  });
  context.setDefaultTimeout(PATIENCE);
  if (FROM_DISK && !asServed) await serveFromDisk(context, FROM_DISK);
  const page = await context.newPage();
  const thrown = [];
  page.on("pageerror", (error) => thrown.push(error.stack ?? String(error)));
  t.after(async () => {
    await context.close();
    assert.deepEqual(thrown, [], "a page has thrown");
  });
  return page;
}

const TYPES = { js: "text/javascript", css: "text/css", svg: "image/svg+xml" };

async function serveFromDisk(context, folder) {
  await context.route("**/assets/*/**", async (route) => {
    const name = new URL(route.request().url()).pathname.split("/").slice(3).join("/");
    const body = await readFile(join(folder, name)).catch(() => undefined);
    if (!body) return route.continue();
    return route.fulfill({ body, contentType: TYPES[name.split(".").pop()] });
  });
}

/** Deals a game and opens its table. Gives the page with the session's id and token. */
export async function openTable(t, browser, server, wanted, options = {}) {
  const { id, token, seat, session } = await server.deal(wanted);
  const page = await openPage(t, browser, server, { seats: [seat], ...options });
  await page.goto(`/sessions/${id}`);
  await showsVersion(page, session.version);
  return { page, id, token, seat };
}

/**
 * Chooses a game in the lobby, and the seed that it is dealt from. Gives the session's id.
 *
 * @param {import("playwright-core").Page} page
 * @param {string} game
 * @param {string} seed
 */
export async function dealInLobby(page, game, seed) {
  await page.goto("/");
  await page.locator(`input[name=game][value=${game}]`).click();
  await page.getByLabel("From a seed").click();
  await page.getByLabel("The seed").fill(seed);
  await page.getByRole("button", { name: "Deal", exact: true }).click();
  return sessionOf(page);
}

/** The id of the session that a page shows. */
export async function sessionOf(page) {
  await page.waitForURL(/\/sessions\//);
  await page.locator(".card").first().waitFor();
  return new URL(page.url()).pathname.split("/")[2];
}

/** The seat that a page's browser remembers. */
export function seatIn(page, id) {
  return page.evaluate((which) => JSON.parse(localStorage.getItem("patience.seats")).find((seat) => seat.id === which), id);
}

/** Waits until a page shows a version, which may be a past one. */
export async function showsVersion(page, version) {
  const says = (wanted) => document.querySelector(".film output")?.textContent.match(/^Step (\d+)/)?.[1] === String(wanted);
  await page.waitForFunction(says, version).catch(async (error) => {
    const shown = await page.locator(".film output, .saying, .message").allTextContents();
    throw new Error(`Version ${version} is not shown but ${JSON.stringify(shown)}`, { cause: error });
  });
}

/** Waits until no card moves. */
export async function still(page) {
  await page.waitForFunction(() => document.getAnimations().every((one) => one.playState !== "running"));
}

/** The cards that a page shows: by pile, from the lowest that is drawn. */
export async function shown(page) {
  const cards = await page.locator(".card").evaluateAll((all) =>
    all.map(({ dataset: { pile, index, face } }) => ({ pile, index: Number(index), face })),
  );
  const piles = {};
  for (const { pile, ...card } of cards.sort((one, other) => one.index - other.index)) (piles[pile] ??= []).push(card);
  return piles;
}

/** The cards that a page has to show of a session. */
export function expected(session, game) {
  const piles = {};
  for (const { id, face_down, cards } of session.piles) {
    const all = [...Array(face_down).fill("down"), ...cards].map((face, index) => ({ index, face }));
    const { spread } = game.piles.find((pile) => pile.id === id).place;
    if (all.length > 0) piles[id] = spread === "none" ? all.slice(-VISIBLE) : all;
  }
  return piles;
}

/** Holds what a page shows against the session as the server has it, and gives that. */
export async function agrees(page, server, id, token) {
  const session = await server.session(id, token);
  await showsVersion(page, session.version);
  await shows(page, server, session);
  return session;
}

/** Holds the cards that a page shows against those of a session. */
export async function shows(page, server, session) {
  const game = await server.get(`/v1/games/${session.game}`);
  assert.deepEqual(await shown(page), expected(session, game), `version ${session.version} of ${session.id}`);
}

/** Waits until something holds. @param {() => Promise<boolean>} holds @param {string} what */
export async function eventually(holds, what) {
  for (const ends = Date.now() + PATIENCE; !(await holds()); await new Promise((resolve) => setTimeout(resolve, 20))) {
    assert.ok(Date.now() < ends, `not in ${PATIENCE} ms: ${what}`);
  }
}

/** Numbers in [0, 1) that follow from a seed (mulberry32). @param {number} seed */
export function randomFrom(seed) {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** A legal move; one that moves cards, mostly, if there is any. */
export function choose(session, random) {
  const transfers = session.legal_moves.filter(({ type }) => type === "move");
  const from = transfers.length > 0 && random() < 0.8 ? transfers : session.legal_moves;
  return from[Math.floor(random() * from.length)];
}

/** Plays some moves behind the page's back. */
export async function playByApi(server, id, token, random, count) {
  let session = await server.session(id, token);
  for (let made = 0; made < count && session.legal_moves.length > 0; made += 1) {
    session = await server.post(`/v1/sessions/${id}/moves`, choose(session, random), token);
  }
  return session;
}
