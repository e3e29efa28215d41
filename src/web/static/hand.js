/**
 * The player's hand: what it holds, and what happens where it presses or lets go.
 *
 * @typedef {import("./choices.js").Held} Held
 *
 * @callback Press a click or Enter
 * @param {string} pile
 * @param {number} count cards from there to the top of the pile; 0 for its place
 * @param {boolean} picksUp whether a card is taken even from the stock
 * @returns {void}
 *
 * @typedef {object} Hand
 * @property {Held | undefined} held
 * @property {(held: Held | undefined) => void} hold
 * @property {(from: Held, to: string) => Promise<void>} put asks for what puts cards on a pile
 * @property {Press} press
 */
import { goalOf, moveFor, targetsOf } from "./choices.js";
import { enableDragging } from "./drag.js";
import { pileUnder } from "./drop.js";
import { useLayoutEffect, useRef, useState } from "./html.js";

/** Two clicks within so many milliseconds are one double click. */
const DOUBLE = 350;

/**
 * @param {import("./board.js").BoardProps} props
 * @param {(pile: string) => void} stayAt keeps the focus at a pile
 * @returns {Hand}
 */
export function useHand({ game, session, canPlay, play, say, whyNot }, stayAt) {
  const [held, setHeld] = useState(/** @type {Held | undefined} */ (undefined));
  const isSecond = useSecondClick();
  useLayoutEffect(() => setHeld(undefined), [session.version, canPlay]);

  const put = (/** @type {Held} */ from, /** @type {string} */ to) => play(moveFor(session, from, to));
  const isStock = (/** @type {string} */ pile) => session.piles.some(({ id, kind }) => id === pile && kind === "stock");

  const turn = (/** @type {string} */ stock, /** @type {boolean} */ isEmpty) => {
    stayAt(stock);
    void play({ type: isEmpty ? "redeal" : "draw" });
  };
  const sendHome = (/** @type {string} */ pile) => {
    const goal = goalOf(game, session, pile);
    if (goal) void play(goal);
    else say("No foundation takes this card now.");
  };

  /** @type {Press} */
  const press = (pile, count, picksUp) => {
    const puts = held !== undefined && held.pile !== pile;
    // What puts a card down is not the first click of two.
    const isDouble = isSecond(puts ? "" : `${pile} ${count}`);
    if (!canPlay) return whyNot();
    setHeld(undefined);
    if (puts) void put(held, pile);
    else if (isStock(pile) && !picksUp) turn(pile, count === 0);
    else if (isDouble && count === 1) sendHome(pile);
    else if (held?.count !== count && count > 0) setHeld({ pile, count });
  };
  return { held, hold: setHeld, put, press };
}

/** Says of each click whether it is the second of two on the same thing. */
function useSecondClick() {
  const last = useRef({ what: "", at: 0 });
  return (/** @type {string} */ what) => {
    const now = Date.now();
    const isSecond = last.current.what === what && now - last.current.at < DOUBLE;
    last.current = { what, at: now };
    return isSecond;
  };
}

/**
 * Cards can be dragged.
 *
 * @param {{ current: HTMLElement | null }} board
 * @param {import("./board.js").BoardProps} props
 * @param {Hand} hand
 * @param {import("./board.js").PileLayout[]} layouts
 * @param {number} unit how many pixels a column is wide
 */
export function useDragging(board, { session, canPlay }, { hold, put }, layouts, unit) {
  const layoutOf = (/** @type {string} */ pile) => layouts.find(({ id }) => id === pile);
  const cardsOf = (/** @type {import("./drag.js").Grip} */ { pile, index }) => layoutOf(pile)?.cards.slice(index) ?? [];
  /** @type {import("./drag.js").Drag} */
  const drag = {
    mayTake: ({ pile, index }) => {
      const layout = layoutOf(pile);
      return canPlay && layout !== undefined && (index >= layout.faceDown || index === layout.cards.length - 1);
    },
    taken: (grip) => hold({ pile: grip.pile, count: cardsOf(grip).length }),
    dropped: (grip, where) => {
      const cards = cardsOf(grip);
      // Somebody else may have laid a card on what is dragged, or taken one from under it.
      if (!board.current || !canPlay || cards.map(({ key }) => key).join() !== grip.keys.join()) return undefined;
      const from = { pile: grip.pile, count: cards.length };
      const to = pileUnder(board.current, layouts, unit, where, targetsOf(session, from), grip.pile);
      return to ? put(from, to) : undefined;
    },
    ended: () => hold(undefined),
  };
  const latest = useRef(drag);
  latest.current = drag;
  useLayoutEffect(() => (board.current ? enableDragging(board.current, () => latest.current) : undefined), []);
}
