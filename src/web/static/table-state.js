/**
 * A session as this page knows it: the newest version that was heard of, whether from an answer or from the live
 * stream, and what is asked for meanwhile.
 *
 * Changes are asked for one after the other, each of the version that is known when its turn comes: who was slower than
 * somebody else is told so, and sees what that one did.
 *
 * @typedef {import("./api.js").Session} Session
 * @typedef {import("./api.js").Entry} Entry
 *
 * @typedef {object} Table
 * @property {Session | undefined} session the newest version
 * @property {Session | undefined} past an older version that is looked at
 * @property {import("./api.js").Presence | undefined} presence
 * @property {boolean | null} stuck whether it is proved that nothing more can be done; null if that is not known
 * @property {import("./stream.js").Connection} connection
 * @property {string} ended why there is nothing more to come; empty while there may be
 * @property {import("./api.js").Move | undefined} hint
 * @property {Saying} said what the player was told last
 * @property {Saying} happened what has happened last, in words
 * @property {boolean} waiting whether an answer has not come for a while
 *
 * @typedef {object} Saying
 * @property {string} text
 * @property {number} number another one each time that something is said
 */
import { Problem, change, get, inWords } from "./api.js";
import { follow } from "./stream.js";
import { Versions } from "./versions.js";
import { didInWords, entryInWords, refusalInWords } from "./words.js";

/** How many changes may be asked for at once; what a key that is held down asks for beyond that is not meant. */
const MOST_WAITING = 8;

/** After how long somebody who waits for an answer is told that it has not come yet, in milliseconds. */
const LATE = 1_000;

export class TableState {
  /** @type {Table} */
  #now = {
    session: undefined,
    past: undefined,
    presence: undefined,
    stuck: null,
    connection: "connecting",
    ended: "",
    hint: undefined,
    said: { text: "", number: 0 },
    happened: { text: "", number: 0 },
    waiting: false,
  };
  #asked = Promise.resolve();
  /** How many changes wait for their turn or their answer. */
  #waiting = 0;
  /** How many changes were not made. What was asked for before the last of them was meant for another table. */
  #failed = 0;
  /** The version that is looked at, or was last. */
  #looking = 0;
  #leave = () => {};
  #versions;
  /** @type {(table: Table) => void} */
  #changed;

  /**
   * @param {string} id of the session
   * @param {{ token?: string | undefined, seat?: number | undefined }} own the player's token and seat, if he has them
   * @param {(table: Table) => void} changed called with what is known from now on
   * @param {Session | undefined} known a version that is known already
   */
  constructor(id, { token, seat }, changed, known) {
    this.path = `/v1/sessions/${id}`;
    this.token = token;
    this.seat = seat;
    this.#changed = changed;
    this.#versions = new Versions(this.path, token);
    this.#now = { ...this.#now, session: known };
    if (known) this.#versions.keep(known);
  }

  /** Follows the session from now on. */
  open() {
    this.#leave = follow(this.path, this.token, {
      event: (name, told) => this.#hear(name, told),
      connection: (connection, why) => this.#set({ connection, ...(why ? { ended: why } : {}) }),
    });
  }

  /** Follows it no more. */
  close() {
    this.#leave();
  }

  get now() {
    return this.#now;
  }

  /** @param {Partial<Table>} news */
  #set(news) {
    this.#now = { ...this.#now, ...news };
    this.#changed(this.#now);
  }

  /** @param {string} name @param {any} told */
  #hear(name, told) {
    if (name === "snapshot") this.#accept(told.session);
    if (name === "change") {
      if (told.entry.version > (this.#now.session?.version ?? 0)) this.#tell(told.entry, told.session);
      this.#accept(told.session);
    }
    if (name === "presence") this.#set({ presence: told });
    if (name === "outlook" && told.version === this.#now.session?.version) this.#set({ stuck: told.stuck });
  }

  /** @param {Session} session */
  #accept(session) {
    const known = this.#now.session;
    if (known && session.version <= known.version) return;
    this.#versions.keep(session);
    this.#set({ session, stuck: null, hint: undefined });
  }

  /** Says what has happened. @param {Entry} entry @param {Session} after */
  #tell(entry, after) {
    const before = this.#now.session;
    this.#happened(entryInWords(entry, { players: before?.players ?? [], own: this.seat, before, after }));
  }

  /** @param {string} text */
  #happened(text) {
    this.#set({ happened: { text, number: this.#now.happened.number + 1 } });
  }

  /** Tells the player something. @param {string} text */
  say = (text) => {
    this.#set({ said: { text, number: this.#now.said.number + 1 } });
  };

  /**
   * Asks for a change, after all that was asked for before; not any more if something of that is not made.
   *
   * @param {string} what
   * @param {unknown} [body]
   * @returns {Promise<void>} ends when it is known what has become of it
   */
  ask(what, body) {
    if (this.#waiting >= MOST_WAITING) return Promise.resolve();
    this.#waiting += 1;
    const failed = this.#failed;
    const inTurn = () => (failed === this.#failed ? this.#ask(what, body) : undefined);
    this.#asked = this.#asked.then(inTurn).finally(() => (this.#waiting -= 1));
    return this.#asked;
  }

  /** @param {string} what @param {unknown} body */
  async #ask(what, body) {
    const version = this.#now.session?.version;
    this.#set({ hint: undefined });
    const late = setTimeout(() => this.#set({ waiting: true }), LATE);
    try {
      const before = this.#now.session;
      const session = await change("POST", `${this.path}/${what}`, { token: this.token, body, version });
      if (session.version > (this.#now.session?.version ?? 0)) {
        this.#happened(didInWords(what, body, before, session));
      }
      this.#accept(session);
    } catch (error) {
      this.#failed += 1;
      if (error instanceof Problem && error.code === "stale_version") await this.#catchUp();
      else this.say(refusalInWords(error, body));
    } finally {
      clearTimeout(late);
      if (this.#now.waiting) this.#set({ waiting: false });
    }
  }

  /** Somebody else was faster. */
  async #catchUp() {
    this.say("Somebody else was faster: look at the table again.");
    try {
      this.#accept(await get(this.path, this.token));
    } catch {
      // The live stream tells it too.
    }
  }

  /** Asks for a hint, and points it out. */
  async askHint() {
    const version = this.#now.session?.version;
    try {
      const hint = await get(`${this.path}/hint`, this.token);
      if (this.#now.session?.version !== version) return;
      this.#set({ hint: hint.move });
      this.say(hint.why);
    } catch (error) {
      this.say(inWords(error));
    }
  }

  /**
   * Looks at a version that is not the newest any more; the newest one ends that.
   *
   * @param {number} version
   * @returns {Promise<boolean>} whether it can be seen
   */
  async look(version) {
    this.#looking = version;
    if (version >= (this.#now.session?.version ?? 0)) {
      this.#set({ past: undefined });
      return true;
    }
    try {
      const past = await this.#versions.at(version);
      // Somebody who moves on quickly does not see what comes late.
      if (this.#looking === version) this.#set({ past });
      return true;
    } catch (error) {
      if (this.#looking === version) this.#looking = this.#now.past?.version ?? 0;
      this.say(inWords(error));
      return false;
    }
  }

  /**
   * Looks at the version after the one that is looked at. If several moves led there at once, they are shown one after
   * the other. Whoever looks elsewhere meanwhile goes on from there.
   *
   * @param {import("./api.js").Game} game
   * @param {() => Promise<boolean>} goOn waits until the next one may be shown, and says whether it is still wanted
   * @returns {Promise<boolean>} whether it can be seen
   */
  async lookOn(game, goOn) {
    const version = this.#now.past?.version;
    if (version === undefined) return false;
    const looksHere = () => this.#looking === version;
    try {
      for (const past of await this.#versions.onTheWayFrom(version, game)) {
        if (!looksHere()) return true;
        this.#set({ past });
        if (!(await goOn())) return true;
      }
    } catch (error) {
      this.say(inWords(error));
      return false;
    }
    return looksHere() ? this.look(version + 1) : true;
  }
}
