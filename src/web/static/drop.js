/** Where cards land that are let go of. */
import { ROW, area } from "./layout.js";

/** How much of a card must lie on a pile to be dropped there, if it may go there and if not. */
const [ENOUGH, ENOUGH_TO_ASK] = [0.1, 0.3];

/**
 * The pile on which a card lies that was let go of.
 *
 * @param {HTMLElement} board
 * @param {import("./board.js").PileLayout[]} layouts
 * @param {number} unit
 * @param {DOMRect} card
 * @param {string[]} targets piles that may take it
 * @param {string} from the pile that it comes from
 */
export function pileUnder(board, layouts, unit, card, targets, from) {
  const origin = board.getBoundingClientRect();
  const size = card.width * card.height;
  const found = layouts.map(({ id, pile, cards }) => {
    const { left, top, right, bottom } = area(pile, cards.length);
    const across = overlap(card.left - origin.left, card.right - origin.left, left * unit, right * unit);
    const down = overlap(card.top - origin.top, card.bottom - origin.top, top * ROW * unit, bottom * ROW * unit);
    return { id, part: (across * down) / size };
  });
  const fits = found.filter(({ id, part }) => id !== from && part > (targets.includes(id) ? ENOUGH : ENOUGH_TO_ASK));
  const value = (/** @type {{ id: string, part: number }} */ { id, part }) => part + (targets.includes(id) ? 1 : 0);
  return fits.sort((one, other) => value(other) - value(one))[0]?.id;
}

/** @param {number} begin @param {number} end @param {number} otherBegin @param {number} otherEnd */
function overlap(begin, end, otherBegin, otherEnd) {
  return Math.max(0, Math.min(end, otherEnd) - Math.max(begin, otherBegin));
}
