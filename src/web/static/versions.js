/**
 * Versions of a session as they were, each asked for once, and how the table stood between them.
 *
 * @typedef {import("./api.js").Session} Session
 */
import { get } from "./api.js";
import { between } from "./between.js";

/** How many old versions are kept, so as not to be asked for again. */
const KEPT = 400;

export class Versions {
  #path;
  #token;
  /** @type {Map<number, Session>} */
  #kept = new Map();

  /** @param {string} path of the session @param {string | undefined} token whose eyes see it */
  constructor(path, token) {
    this.#path = path;
    this.#token = token;
  }

  /** Keeps a version and lets go of the one that was kept first, but never of the newest. @param {Session} session */
  keep(session) {
    this.#kept.set(session.version, session);
    if (this.#kept.size <= KEPT) return;
    const versions = [...this.#kept.keys()];
    const newest = Math.max(...versions);
    this.#kept.delete(versions.find((version) => version !== newest) ?? newest);
  }

  /** @param {number} version @returns {Promise<Session>} */
  async at(version) {
    const known = this.#kept.get(version);
    const session = known ?? (await get(`${this.#path}?version=${version}`, this.#token));
    if (!known) this.keep(session);
    return session;
  }

  /**
   * How the table stood on the way from a version to the next one, if several moves led there at once.
   *
   * @param {number} version
   * @param {import("./api.js").Game} game
   * @returns {Promise<Session[]>}
   */
  async onTheWayFrom(version, game) {
    const before = await this.at(version);
    const after = await this.at(version + 1);
    if (after.moves - before.moves < 2) return [];
    const { items } = await get(`${this.#path}/history?after=${version}&limit=1`, this.#token);
    const shots = between(before.piles, items[0]?.moves ?? [], after.piles);
    const atFirst = before.placed - cardsAtHome(game, before.piles);
    return shots.map((piles, at) => {
      const [moves, placed] = [before.moves + at + 1, atFirst + cardsAtHome(game, piles)];
      return { ...before, piles, moves, placed };
    });
  }
}

/** How many cards lie where all are to go. @param {import("./api.js").Game} game @param {Session["piles"]} piles */
function cardsAtHome(game, piles) {
  const homes = game.piles.filter(({ home }) => home).map(({ id }) => id);
  const counts = piles.map(({ id, face_down, cards }) => (homes.includes(id) ? face_down + cards.length : 0));
  return counts.reduce((sum, count) => sum + count, 0);
}
