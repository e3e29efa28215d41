/**
 * How the server is asked: the public API as `openapi.yaml` describes it, and nothing else.
 *
 * A change carries a key, so that it can be asked for again when an answer is lost, and is made once all the same.
 *
 * @typedef {import("contract").components["schemas"]} Schemas
 * @typedef {Schemas["Game"]} Game
 * @typedef {Schemas["GamePile"]} GamePile
 * @typedef {Schemas["Session"]} Session
 * @typedef {Schemas["Pile"]} Pile
 * @typedef {Schemas["Move"]} Move
 * @typedef {Schemas["Entry"]} Entry
 * @typedef {Schemas["Race"]} Race
 * @typedef {Schemas["Standing"]} Standing
 * @typedef {Schemas["Presence"]} Presence
 */

/** How long a change is asked for again and again before it is given up, and what is read, in milliseconds. */
const [PATIENCE, READERS_PATIENCE] = [20_000, 3_000];

/** How long one try may take, in milliseconds. */
const ONE_TRY = 8_000;

/** The longest wait between two tries, in milliseconds. */
const LONGEST_WAIT = 4_000;

/** What passes: too many requests, a proxy that finds no server, a server that has no time. */
const PASSING = [429, 502, 503, 504];

/** What the server has refused, in its own words. */
export class Problem extends Error {
  /** @param {number} status @param {Partial<Schemas["Problem"]>} document */
  constructor(status, document) {
    super(document.detail ?? document.title ?? `The server has answered ${status}.`);
    this.status = status;
    this.code = document.code ?? "";
    this.retryAfter = document.retry_after;
  }
}

/** No answer has come. */
export class Unreachable extends Error {
  constructor() {
    super("The server cannot be reached.");
  }
}

/**
 * What is said about an error to whoever plays.
 *
 * @param {unknown} error
 */
export function inWords(error) {
  return error instanceof Error ? error.message : String(error);
}

/**
 * @typedef {object} Asked
 * @property {string | undefined} [token] whose request it is
 * @property {unknown} [body] what is sent, as JSON
 * @property {string} [key] under which it is made once
 * @property {number} [version] the version that it is meant for
 * @property {AbortSignal | undefined} [signal] what stops it
 */

/**
 * @param {string} method
 * @param {string} path
 * @param {Asked} asked
 */
async function send(method, path, { token, body, key, version, signal }) {
  /** @type {Record<string, string>} */
  const headers = {};
  if (token) headers["authorization"] = `Bearer ${token}`;
  if (key) headers["idempotency-key"] = key;
  if (version) headers["if-match"] = `"${version}"`;
  if (body !== undefined) headers["content-type"] = "application/json";
  const tooLong = AbortSignal.timeout(ONE_TRY);
  const stop = signal ? AbortSignal.any([signal, tooLong]) : tooLong;
  const init = { method, headers, signal: stop, ...(body === undefined ? {} : { body: JSON.stringify(body) }) };
  const lost = () => {
    signal?.throwIfAborted();
    throw new Unreachable();
  };
  const response = await fetch(path, init).catch(lost);
  const text = await response.text().catch(lost);
  if (!response.ok) throw new Problem(response.status, parsed(text) ?? {});
  return { status: response.status, body: parsed(text), retryAfter: Number(response.headers.get("retry-after")) };
}

/** @param {string} text */
function parsed(text) {
  try {
    return text === "" ? undefined : JSON.parse(text);
  } catch {
    return undefined;
  }
}

/**
 * Gets something. An answer that was lost on its way is asked for again.
 *
 * @param {string} path
 * @param {string} [token]
 */
export async function get(path, token) {
  return (await untilAnswered(READERS_PATIENCE, () => send("GET", path, { token }))).body;
}

/**
 * Asks for a change until it is known what has become of it, for a while. It is made once.
 *
 * @param {"POST" | "DELETE"} method
 * @param {string} path
 * @param {Asked} asked
 */
export async function change(method, path, asked) {
  const keyed = { ...asked, key: newKey() };
  return (await untilAnswered(PATIENCE, () => send(method, path, keyed))).body;
}

/**
 * Tries until there is an answer, or a refusal that no other try would change.
 *
 * @template T
 * @param {number} patience after how long it is given up, in milliseconds
 * @param {() => Promise<T>} attempt
 * @returns {Promise<T>}
 */
async function untilAnswered(patience, attempt) {
  const ends = Date.now() + patience;
  for (let wait = 250; ; wait = Math.min(2 * wait, LONGEST_WAIT)) {
    try {
      return await attempt();
    } catch (error) {
      const pause = worthAnotherTry(error) ?? Infinity;
      const most = Math.max(pause, wait);
      if (Date.now() + most > ends) throw error;
      await sleep(most);
    }
  }
}

/**
 * How long to wait before the same is asked again, in milliseconds; nothing if that is of no use.
 *
 * @param {unknown} error
 */
function worthAnotherTry(error) {
  if (error instanceof Unreachable) return 0;
  // A deal that can be won may take a while, and whoever waits for one is told.
  const passes = error instanceof Problem && PASSING.includes(error.status) && error.code !== "no_deal_ready";
  return passes ? 1_000 * (error.retryAfter ?? 1) : undefined;
}

/**
 * Waits for something that the server works out meanwhile, and asks for it as often as the server says.
 *
 * @param {string} path
 * @param {string} [token]
 * @param {AbortSignal} [signal] what stops it: nothing is asked any more, and the promise is rejected with its reason
 */
export async function getWhenReady(path, token, signal) {
  for (;;) {
    const attempt = () => send("GET", path, { token, signal });
    const { status, body, retryAfter } = await untilAnswered(READERS_PATIENCE, attempt);
    if (status !== 202) return body;
    await sleep(1_000 * (retryAfter || 1));
    signal?.throwIfAborted();
  }
}

/**
 * The history of a session after a version.
 *
 * @param {string} path of the session
 * @param {number} after
 * @param {string} [token]
 * @returns {Promise<Entry[]>}
 */
export async function history(path, after, token) {
  const items = [];
  for (let next = String(after); ; ) {
    const page = await get(`${path}/history?limit=1000&after=${next}`, token);
    items.push(...page.items);
    if (page.next === null) return items;
    next = page.next;
  }
}

/** A key that nobody guesses. */
function newKey() {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** @param {number} milliseconds */
export function sleep(milliseconds) {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}
