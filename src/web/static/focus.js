/**
 * The focus on the table.
 *
 * @typedef {object} Focus
 * @property {string | undefined} key of the card or place that has it, or would
 * @property {(direction: "left" | "right" | "up" | "down") => void} move
 * @property {(pile: string) => void} stayAt keeps it at a pile when its top card leaves
 */
import { useEffect, useLayoutEffect, useRef, useState } from "./html.js";
import { neighbour } from "./layout.js";

/**
 * One of the cards and places can be reached with Tab, and the others from there with arrow keys. Cards keep the focus
 * as they move.
 *
 * @param {{ current: HTMLElement | null }} board
 * @param {import("./board.js").PileLayout[]} layouts
 * @returns {Focus}
 */
export function useFocus(board, layouts) {
  const [cursor, setCursor] = useState({ key: "", pile: "" });
  const stays = useRef("");
  const hasFocus = useRef(false);
  const all = layouts.flatMap(reachable);
  const topOf = (/** @type {string} */ pile) => all.findLast((spot) => spot.pile === pile);
  const kept = stays.current ? topOf(stays.current) : all.find(({ key }) => key === cursor.key);
  const now = kept ?? topOf(cursor.pile) ?? all[0];

  useLayoutEffect(() => {
    if (!now || now.key === cursor.key) return;
    setCursor({ key: now.key, pile: now.pile });
    // An element that is taken away takes the focus with it and does not say so.
    if (hasFocus.current) document.getElementById(now.key)?.focus({ preventScroll: true });
  });
  useFocusIn(({ target }) => {
    hasFocus.current = target instanceof HTMLElement && (board.current?.contains(target) ?? false);
    if (!hasFocus.current || !(target instanceof HTMLElement)) return;
    const pile = target.dataset["pile"] ?? target.dataset["place"];
    stays.current = "";
    if (pile) setCursor({ key: target.id, pile });
  });

  return {
    key: now?.key,
    move(direction) {
      stays.current = "";
      const next = now && neighbour(now, all, direction);
      if (next) document.getElementById(next.key)?.focus();
    },
    stayAt(pile) {
      stays.current = pile;
    },
  };
}

/** The cards of a pile that can be reached, or its place if it is empty. @param {import("./board.js").PileLayout} layout */
function reachable({ id, key, pile, drawn }) {
  const { column, row } = pile.place;
  if (drawn.length === 0) return [{ key, pile: id, x: column, y: row }];
  return drawn.filter((card) => card.isReachable).map((card) => ({ key: card.key, pile: id, x: card.x, y: card.y }));
}

/** Hears wherever the focus goes. @param {(event: FocusEvent) => void} hear */
function useFocusIn(hear) {
  const latest = useRef(hear);
  latest.current = hear;
  useEffect(() => {
    const heard = (/** @type {FocusEvent} */ event) => latest.current(event);
    document.addEventListener("focusin", heard);
    return () => document.removeEventListener("focusin", heard);
  }, []);
}
