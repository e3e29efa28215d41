/**
 * Live events of a session or race, over a connection that is made again when it breaks, from where it broke off.
 *
 * It is `fetch` and not `EventSource`, which can send no token. While the page is hidden there is no connection: a
 * browser allows few of them, and what was missed comes when the page is shown again.
 */
import { createParser } from "./vendor/eventsource-parser.js";

/** After so long without a sign of life a connection is taken for lost, in milliseconds. The server beats faster. */
const SILENCE = 40_000;

/** How long to wait before a connection is made again: at first, and at most, in milliseconds. */
const [FIRST_WAIT, LONGEST_WAIT] = [250, 5_000];

/** After which words of farewell nothing more is to be expected. */
const FAREWELLS = ["deleted", "expired", "seat_left", "replaced"];

/** After which refusals there is nothing to come back for. Whatever else is answered passes. */
const REFUSALS = ["invalid_token", "not_a_player", "no_such_session", "no_such_race"];

/**
 * @typedef {"connecting" | "open" | "lost" | "paused" | "ended"} Connection
 *
 * @typedef {object} Listener
 * @property {(name: string, data: any) => void} event something has happened
 * @property {(connection: Connection, why?: string) => void} connection it is so from now on
 *
 * @typedef {import("eventsource-parser").EventSourceMessage} Message
 */

/**
 * Follows what happens until what this gives is called.
 *
 * @param {string} path of the session or race
 * @param {string | undefined} token whose eyes see it
 * @param {Listener} listener
 * @returns {() => void}
 */
export function follow(path, token, listener) {
  const stream = new Stream(path, token, listener);
  const left = new AbortController();
  const { signal } = left;
  document.addEventListener("visibilitychange", () => stream.showOrHide(), { signal });
  addEventListener("online", () => stream.hurry(), { signal });
  addEventListener("offline", () => stream.breakOff(), { signal });
  void stream.run();
  return () => {
    left.abort();
    stream.leave();
  };
}

/** One connection after the other. */
class Stream {
  #path;
  #token;
  #listener;
  /** The id of the last event, after which the next connection goes on. */
  #last = "";
  #wait = FIRST_WAIT;
  #isOver = false;
  /** @type {AbortController | undefined} */
  #connection;

  /** Ends a wait early. */
  hurry = () => {};

  /** @param {string} path @param {string | undefined} token @param {Listener} listener */
  constructor(path, token, listener) {
    this.#path = path;
    this.#token = token;
    this.#listener = listener;
  }

  /** Connects again and again, until there is nothing more to come. */
  async run() {
    this.#listener.connection("connecting");
    while (!this.#isOver) {
      if (document.hidden) {
        this.#listener.connection("paused");
        await this.#rest();
        continue;
      }
      await this.#read();
      if (this.#isOver || document.hidden) continue;
      this.#listener.connection("lost");
      await this.#rest(this.#wait * (0.5 + Math.random()));
      this.#wait = Math.min(2 * this.#wait, LONGEST_WAIT);
    }
  }

  leave() {
    this.#isOver = true;
    this.breakOff();
    this.hurry();
  }

  breakOff() {
    this.#connection?.abort();
  }

  showOrHide() {
    if (document.hidden) return this.breakOff();
    this.#wait = FIRST_WAIT;
    this.hurry();
  }

  /** Waits until it is hurried. @param {number} [most] milliseconds; without an end if there are none */
  #rest(most) {
    return new Promise((resolve) => {
      this.hurry = () => resolve(undefined);
      if (most !== undefined) setTimeout(resolve, most);
    });
  }

  /** Reads one connection, until it ends or breaks. */
  async #read() {
    const connection = (this.#connection = new AbortController());
    const silence = new Silence(() => connection.abort());
    try {
      const response = await this.#connect(connection.signal);
      if (REFUSALS.includes(await codeOf(response))) return this.#end("gone");
      if (!response.ok || !response.body) return;
      this.#listener.connection("open");
      for await (const message of messagesIn(response.body, () => silence.break())) {
        if (this.#isOver) return;
        this.#hear(message);
      }
    } catch {
      // It is made again.
    } finally {
      silence.end();
      connection.abort();
    }
  }

  /** @param {AbortSignal} signal */
  #connect(signal) {
    /** @type {Record<string, string>} */
    const headers = { accept: "text/event-stream" };
    if (this.#token) headers["authorization"] = `Bearer ${this.#token}`;
    if (this.#last) headers["last-event-id"] = this.#last;
    return fetch(`${this.#path}/events`, { headers, signal, cache: "no-store" });
  }

  /** @param {Message} message */
  #hear({ id, event = "message", data }) {
    const told = JSON.parse(data);
    if (id) this.#last = id;
    if (event === "bye" && FAREWELLS.includes(told.reason)) return this.#end(told.reason);
    // A server that lets in and sends away is not asked at once again.
    if (event !== "bye") this.#wait = FIRST_WAIT;
    this.#tell(event, told);
  }

  /** A fault of who listens is no fault of the connection. @param {string} event @param {any} told */
  #tell(event, told) {
    try {
      this.#listener.event(event, told);
    } catch (error) {
      reportError(error);
    }
  }

  /** @param {string} why */
  #end(why) {
    this.#isOver = true;
    this.#listener.connection("ended", why);
  }
}

/**
 * Why the server refuses, in its own word; empty if it does not, or if it is somebody on the way who does.
 *
 * @param {Response} response
 */
async function codeOf(response) {
  const type = response.headers.get("content-type") ?? "";
  if (response.ok || !type.startsWith("application/problem+json")) return "";
  return (await response.json()).code;
}

/** Whether a connection has been silent for too long. */
class Silence {
  #began = Date.now();
  #watch;

  /** @param {() => void} tooLong */
  constructor(tooLong) {
    this.#watch = setInterval(() => Date.now() - this.#began > SILENCE && tooLong(), SILENCE / 4);
  }

  break() {
    this.#began = Date.now();
  }

  end() {
    clearInterval(this.#watch);
  }
}

/**
 * The messages of one connection.
 *
 * @param {ReadableStream<Uint8Array<ArrayBuffer>>} body
 * @param {() => void} alive called at each sign of life
 */
async function* messagesIn(body, alive) {
  /** @type {Message[]} */
  const heard = [];
  const parser = createParser({ onEvent: (message) => heard.push(message) });
  const reader = body.pipeThrough(new TextDecoderStream()).getReader();
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    alive();
    parser.feed(value);
    yield* heard.splice(0);
  }
}
