/**
 * How the table stood between two versions, when several moves were made at once. A snapshot says nothing of that; but
 * moves say which cards went where, and where a card lay in the end says what it was.
 *
 * @typedef {import("./api.js").Pile} Pile
 * @typedef {import("./api.js").Move} Move
 *
 * @typedef {object} Card what is not known at first may be later
 * @property {string | null} face
 *
 * @typedef {object} Heap a pile as it is played with
 * @property {Pile} pile as it was before
 * @property {number} down how many of its cards, from below, lie face down
 * @property {Card[]} cards
 */
import { facesOf } from "./identity.js";

/**
 * The piles after each of some moves but the last.
 *
 * @param {Pile[]} before all moves
 * @param {Move[]} moves
 * @param {Pile[]} after all of them
 * @returns {Pile[][]}
 */
export function between(before, moves, after) {
  const heaps = new Map(before.map((pile) => [pile.id, heapOf(pile)]));
  const frees = freeing(before, moves, after);
  const shots = moves.map((move, at) => {
    play(heaps, move, frees.has(at));
    return [...heaps.values()].map((heap) => ({ ...heap, cards: [...heap.cards] }));
  });
  for (const pile of after) {
    facesOf(pile).forEach((face, place) => {
      const card = heaps.get(pile.id)?.cards[place];
      if (card && face !== null) card.face = face;
    });
  }
  return shots.slice(0, -1).map((shot) => shot.map(shown));
}

/** @param {Pile} pile @returns {Heap} */
function heapOf(pile) {
  return { pile, down: pile.face_down, cards: facesOf(pile).map((face) => ({ face })) };
}

/**
 * Which moves turn up the card that lay under a pile: the last onto a pile that is face down nowhere in the end, as
 * nothing is put on a card that was turned up so.
 *
 * @param {Pile[]} before
 * @param {Move[]} moves
 * @param {Pile[]} after
 */
function freeing(before, moves, after) {
  const isFreed = (/** @type {Pile} */ pile) =>
    pile.kind !== "stock" && pile.face_down > 0 && after.some(({ id, face_down }) => id === pile.id && face_down === 0);
  const lastOnto = (/** @type {Pile} */ { id }) => moves.findLastIndex((move) => move.type === "move" && move.to === id);
  return new Set(before.filter(isFreed).map(lastOnto));
}

/** @param {Map<string, Heap>} heaps @param {Move} move @param {boolean} frees whether it turns up what lay underneath */
function play(heaps, move, frees) {
  const first = (/** @type {string} */ kind) => [...heaps.values()].find(({ pile }) => pile.kind === kind);
  const [stock, waste] = [first("stock"), first("waste")];
  if (move.type === "redeal") {
    stock?.cards.push(...(waste?.cards.splice(0).reverse() ?? []));
  } else {
    const [from, to] = move.type === "draw" ? [stock, waste] : [heaps.get(move.from), heaps.get(move.to)];
    const count = move.type === "draw" ? 1 : move.count;
    to?.cards.push(...(from?.cards.splice(from.cards.length - count) ?? []));
    if (to && frees) to.cards.push(...to.cards.splice(0, to.down));
    if (to && frees) to.down = 0;
  }
  if (stock) stock.down = stock.cards.length;
}

/** A pile as a snapshot shows it. @param {Heap} heap @returns {Pile} */
function shown({ pile, down, cards }) {
  // What is still unknown was turned up and down again meanwhile.
  const unknown = cards.findLastIndex(({ face }) => face === null) + 1;
  const hidden = Math.max(down, unknown);
  return { ...pile, face_down: hidden, cards: cards.slice(hidden).flatMap(({ face }) => face ?? []) };
}
