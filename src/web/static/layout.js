/**
 * Where piles and cards are drawn. The server gives each pile a place on a grid whose unit is one pile, and how its
 * cards are spread from there, and how far; nothing else is known of a game here.
 *
 * @typedef {import("./api.js").Game} Game
 * @typedef {import("./api.js").GamePile} GamePile
 *
 * @typedef {object} Spot
 * @property {number} x in columns, from the left
 * @property {number} y in rows, from the top
 */

/** How high a row is, in columns: the shape of a card. */
export const ROW = 1.4;

/** How much of a column a card is wide, and of a row it is high. */
export const CARD = 0.92;

/** How far one card of a spread lies from the next, in columns or rows, if there is room. */
const STEP = 0.29;

/**
 * How many columns and rows all piles take together.
 *
 * @param {Game} game
 */
export function extent(game) {
  const reach = game.piles.map(({ place }) => ({
    columns: place.column + width(place),
    rows: place.row + (place.spread === "down" ? place.room : 1),
  }));
  return {
    columns: Math.max(...reach.map(({ columns }) => columns)),
    rows: Math.max(...reach.map(({ rows }) => rows)),
  };
}

/**
 * How many columns a pile's place is wide, however few cards lie there.
 *
 * @param {GamePile["place"]} place
 */
export function width({ spread, room }) {
  return spread === "right" ? room : 1;
}

/**
 * Where the cards of a pile lie, bottom first.
 *
 * @param {GamePile} pile
 * @param {number} count how many there are
 * @returns {Spot[]}
 */
export function spots({ place }, count) {
  const step = place.spread === "none" ? 0 : Math.min(STEP, (place.room - 1) / Math.max(1, count - 1));
  return Array.from({ length: count }, (_, index) => ({
    x: place.column + (place.spread === "right" ? index * step : 0),
    y: place.row + (place.spread === "down" ? index * step : 0),
  }));
}

/**
 * What a pile covers, in columns and rows.
 *
 * @param {GamePile} pile
 * @param {number} count how many cards lie there
 */
export function area(pile, count) {
  const last = spots(pile, Math.max(1, count)).at(-1) ?? { x: pile.place.column, y: pile.place.row };
  const { column, row } = pile.place;
  return { left: column, top: row, right: column + width(pile.place) - 1 + CARD, bottom: last.y + CARD };
}

/**
 * Which of some spots is the next in a direction; nothing if there is none.
 *
 * @template {Spot} T
 * @param {Spot} from
 * @param {T[]} all
 * @param {"left" | "right" | "up" | "down"} direction
 * @returns {T | undefined}
 */
export function neighbour(from, all, direction) {
  const sign = direction === "left" || direction === "up" ? -1 : 1;
  const isLevel = direction === "left" || direction === "right";
  const along = (/** @type {Spot} */ to) => sign * (isLevel ? to.x - from.x : ROW * (to.y - from.y));
  const across = (/** @type {Spot} */ to) => (isLevel ? ROW * (to.y - from.y) : to.x - from.x);
  const cost = (/** @type {Spot} */ to) => along(to) + 2.5 * Math.abs(across(to));
  const ahead = all.filter((to) => along(to) > 0.01 && Math.abs(across(to)) <= 2 * along(to) + 0.01);
  return ahead.sort((one, other) => cost(one) - cost(other))[0];
}
