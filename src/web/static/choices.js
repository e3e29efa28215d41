/**
 * What can be done with cards that are held, as the server lists it.
 *
 * @typedef {import("./api.js").Game} Game
 * @typedef {import("./api.js").Session} Session
 * @typedef {import("./api.js").Move} Move
 *
 * @typedef {object} Held cards that were picked up
 * @property {string} pile
 * @property {number} count so many from the top
 *
 * @typedef {object} Pointed what a hint points at
 * @property {string} from
 * @property {string} to
 * @property {number} count
 */

/**
 * Where cards that are held can go.
 *
 * @param {Session} session
 * @param {Held} held
 */
export function targetsOf(session, { pile, count }) {
  return session.legal_moves.flatMap((move) =>
    move.type === "move" && move.from === pile && move.count === count ? [move.to] : [],
  );
}

/**
 * The move that puts cards on a pile: what goes from the stock to the waste is drawn, and back it is a redeal.
 *
 * @param {Session} session
 * @param {Held} held
 * @param {string} to
 * @returns {Move}
 */
export function moveFor(session, { pile, count }, to) {
  const kind = (/** @type {string} */ id) => session.piles.find((each) => each.id === id)?.kind;
  if (kind(pile) === "stock" && kind(to) === "waste") return { type: "draw" };
  if (kind(pile) === "waste" && kind(to) === "stock") return { type: "redeal" };
  return { type: "move", from: pile, to, count };
}

/**
 * The move that sends the top card of a pile to its place, if it has one there.
 *
 * @param {Game} game
 * @param {Session} session
 * @param {string} pile
 */
export function goalOf(game, session, pile) {
  const goals = game.piles.filter(({ home }) => home).map(({ id }) => id);
  return session.legal_moves.find((move) => move.type === "move" && move.from === pile && goals.includes(move.to));
}

/**
 * What a move is shown by.
 *
 * @param {Move} move
 * @param {Session} session
 * @returns {Pointed}
 */
export function pointedOut(move, session) {
  const stock = session.piles.find(({ kind }) => kind === "stock")?.id ?? "";
  if (move.type === "draw") return { from: stock, to: "", count: 1 };
  if (move.type === "redeal") return { from: "", to: stock, count: 0 };
  return move;
}

/**
 * Whether a card is one of those that are pointed at: so many from the top of a pile.
 *
 * @param {Pointed | undefined} hinted
 * @param {string} pile
 * @param {number} count
 */
export function isPointedAt(hinted, pile, count) {
  return hinted !== undefined && ((hinted.from === pile && count <= hinted.count) || (hinted.to === pile && count === 1));
}
