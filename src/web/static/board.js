/**
 * The table itself: piles at their places, cards on them, and how they are taken and put.
 *
 * Cards can be dragged; clicked, and then clicked where they are to go; clicked twice to go to their place; and reached
 * and moved with the keyboard. What may go where is what the server lists as legal; what it does not list is asked for
 * all the same, so that its answer can say why not.
 *
 * @typedef {import("./api.js").Session} Session
 * @typedef {import("./api.js").Move} Move
 * @typedef {import("./api.js").GamePile} GamePile
 *
 * @typedef {object} BoardProps
 * @property {import("./api.js").Game} game
 * @property {Session} session as it is to be shown
 * @property {boolean} canPlay whether cards can be moved
 * @property {(move: Move) => Promise<void>} play asks for a move
 * @property {(text: string) => void} say tells the player something
 * @property {() => void} whyNot called when cards cannot be moved and somebody tries
 * @property {Move | undefined} hint what is to be pointed out
 */
import { CardFace, PlaceFace } from "./card.js";
import { isPointedAt, pointedOut, targetsOf } from "./choices.js";
import { useFocus } from "./focus.js";
import { useDragging, useHand } from "./hand.js";
import { html, useLayoutEffect, useMemo, useRef, useState } from "./html.js";
import { identify } from "./identity.js";
import { ROW, extent, spots, width } from "./layout.js";
import { cardName, counted, pileName, wantedSigns } from "./words.js";

/** How many cards of a pile that is not spread are drawn: the others cannot be seen. */
const VISIBLE = 3;

/** Kinds of piles that say how many cards they have. */
const COUNTED = ["stock", "waste"];

/** @type {Record<string, "left" | "right" | "up" | "down">} */
const ARROWS = { ArrowLeft: "left", ArrowRight: "right", ArrowUp: "up", ArrowDown: "down" };

/** @param {BoardProps} props */
export function Board(props) {
  const { game, session, canPlay } = props;
  const board = useRef(/** @type {HTMLDivElement | null} */ (null));
  const { unit, least } = useUnit(board, game);
  const laid = useCards(session);
  const layouts = game.piles.map((pile) => layoutOf(pile, laid.get(pile.id) ?? [], faceDown(session, pile.id)));
  const focus = useFocus(board, layouts);
  const hand = useHand(props, focus.stayAt);
  useDragging(board, props, hand, layouts, unit);

  /** A click beside all piles puts back what is held. @param {MouseEvent} event */
  const putBack = (event) => {
    if (event.target === board.current) hand.hold(undefined);
  };
  const { columns, rows } = extent(game);
  const style = { "--unit": `${unit}px`, width: `${columns * unit}px`, height: `${rows * ROW * unit}px` };
  return html`<div class="felt" style=${{ minHeight: `${rows * ROW * least}px` }}>
    <div class=${`board ${canPlay ? "playable" : ""}`} role="application" aria-roledescription="card table"
      aria-label=${`${game.name}. Arrow keys go from card to card, Enter picks up and puts down.`}
      ref=${board} style=${style} onKeyDown=${(/** @type {KeyboardEvent} */ event) => onKey(event, focus, hand)} onClick=${putBack}>
      <${Piles} ...${props} layouts=${layouts} hand=${hand} focused=${focus.key} />
    </div>
  </div>`;
}

/**
 * @param {KeyboardEvent} event
 * @param {import("./focus.js").Focus} focus
 * @param {import("./hand.js").Hand} hand
 */
function onKey(event, focus, hand) {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  const direction = ARROWS[event.key];
  if (direction) {
    event.preventDefault();
    focus.move(direction);
  } else if (event.key === "Escape" && hand.held) {
    event.stopPropagation();
    hand.hold(undefined);
  }
}

/**
 * The places, and on them the cards, each of which stays where it is in the page when it moves on the table.
 *
 * @param {BoardProps & { layouts: PileLayout[], hand: import("./hand.js").Hand, focused: string | undefined }} props
 */
function Piles({ session, canPlay, hint, layouts, hand, focused }) {
  const { held, press } = hand;
  const targets = held ? targetsOf(session, held) : [];
  const hinted = hint && pointedOut(hint, session);
  const cards = layouts.flatMap((pile) => pile.drawn.map((card) => ({ pile, card })));
  cards.sort((one, other) => one.card.order - other.card.order);
  const mayMove = (/** @type {PileLayout} */ { id, pile }, /** @type {number} */ count) =>
    canPlay && (pile.kind === "stock" || targetsOf(session, { pile: id, count }).length > 0);
  return html`
    ${layouts.map((pile) => html`<${PilePlace} key=${pile.id} pile=${pile} isTarget=${targets.includes(pile.id)}
      isHinted=${hinted?.to === pile.id} isFocusable=${focused === pile.key} press=${press} />`)}
    ${cards.map(({ pile, card }) => html`<${PlayingCard} key=${card.key} pile=${pile} card=${card} press=${press}
      isHeld=${held?.pile === pile.id && card.count <= held.count} mayMove=${mayMove(pile, card.count)}
      isTarget=${card.count === 1 && targets.includes(pile.id)} isHinted=${isPointedAt(hinted, pile.id, card.count)}
      isFocusable=${focused === card.key} />`)}`;
}

/**
 * @typedef {object} DrawnCard
 * @property {string} key
 * @property {number} order in which it stands in the page
 * @property {string | null} face
 * @property {number} index from the bottom of its pile
 * @property {number} count it and the cards on it
 * @property {number} x
 * @property {number} y
 * @property {boolean} isReachable whether it can be picked up
 *
 * @typedef {object} PileLayout
 * @property {string} id
 * @property {string} key
 * @property {GamePile} pile
 * @property {import("./identity.js").Laid[]} cards all of them
 * @property {number} faceDown how many of them, from below
 * @property {DrawnCard[]} drawn those that can be seen
 */

/**
 * @param {GamePile} pile
 * @param {import("./identity.js").Laid[]} cards
 * @param {number} down
 * @returns {PileLayout}
 */
function layoutOf(pile, cards, down) {
  const places = spots(pile, cards.length);
  const first = pile.place.spread === "none" ? Math.max(0, cards.length - VISIBLE) : 0;
  const drawn = cards.slice(first).map(({ key, order, face }, offset) => {
    const index = first + offset;
    const { x, y } = places[index] ?? { x: pile.place.column, y: pile.place.row };
    const count = cards.length - index;
    const isReachable = count === 1 || (pile.place.spread !== "none" && face !== null);
    return { key, order, face, index, count, x, y, isReachable };
  });
  return { id: pile.id, key: `place-${pile.id}`, pile, cards, faceDown: down, drawn };
}

/** @param {Session} session @param {string} id */
function faceDown(session, id) {
  return session.piles.find((pile) => pile.id === id)?.face_down ?? 0;
}

/**
 * @param {{ pile: PileLayout, isTarget: boolean, isHinted: boolean, isFocusable: boolean,
 *   press: import("./hand.js").Press }} props
 */
function PilePlace({ pile, isTarget, isHinted, isFocusable, press }) {
  const { column, row } = pile.pile.place;
  const isEmpty = pile.cards.length === 0;
  const name = pileName(pile.id);
  const signs = wantedSigns(pile.pile.starts_with);
  const classes = ["place", isEmpty && "empty", isTarget && "target", isHinted && "hinted"].filter(Boolean).join(" ");
  return html`<div role="group" aria-label=${`${name}, ${counted(pile.cards.length, "card")}`}
    aria-owns=${pile.drawn.map(({ key }) => key).join(" ") || undefined}>
    <button type="button" class=${classes} id=${pile.key} style=${{ "--x": column, "--y": row, "--width": width(pile.pile.place) }}
      tabindex=${isEmpty && isFocusable ? 0 : -1} aria-hidden=${isEmpty ? undefined : "true"}
      aria-label=${`${name}, empty${signs && `, for ${signs}`}, takes ${pile.pile.takes}${isTarget ? ", can take what is held" : ""}`}
      onClick=${() => press(pile.id, 0, false)} data-place=${pile.id}>
      <${PlaceFace} ranks=${pile.pile.starts_with} width=${width(pile.pile.place)} />
    </button>
    ${COUNTED.includes(pile.pile.kind) && !isEmpty && html`<span class="count" aria-hidden="true"
      style=${{ "--x": column, "--y": row }}>${pile.cards.length}</span>`}
  </div>`;
}

/**
 * @param {{ pile: PileLayout, card: DrawnCard, isHeld: boolean, mayMove: boolean, isTarget: boolean, isHinted: boolean,
 *   isFocusable: boolean, press: import("./hand.js").Press }} props
 */
function PlayingCard({ pile, card, isHeld, mayMove, isTarget, isHinted, isFocusable, press }) {
  const isMoving = useMoving(pile.id);
  const classes = ["card", mayMove && "movable", isHeld && "held", isTarget && "target", isHinted && "hinted", isMoving && "moving"];
  const where = `${pileName(pile.id)}, ${card.index + 1} of ${pile.cards.length}`;
  return html`<button type="button" id=${card.key} class=${classes.filter(Boolean).join(" ")}
    style=${{ "--x": card.x, "--y": card.y, "--z": card.index + 1 }}
    data-pile=${pile.id} data-index=${card.index} data-face=${card.face ?? "down"}
    tabindex=${isFocusable ? 0 : -1} aria-hidden=${card.isReachable ? undefined : "true"} aria-pressed=${isHeld}
    aria-label=${`${cardName(card.face)}, ${where}${isTarget ? ", can take what is held" : ""}`}
    onClick=${(/** @type {MouseEvent} */ event) => press(pile.id, card.count, event.shiftKey)}>
    <${CardFace} face=${card.face} />
  </button>`;
}

/**
 * Whether a card has just gone to another pile: then it is drawn above all others for a while.
 *
 * @param {string} pile
 */
function useMoving(pile) {
  const last = useRef(pile);
  const [isMoving, setMoving] = useState(false);
  useLayoutEffect(() => {
    if (last.current === pile) return undefined;
    last.current = pile;
    setMoving(true);
    const timer = setTimeout(() => setMoving(false), 300);
    return () => clearTimeout(timer);
  }, [pile]);
  return isMoving || last.current !== pile;
}

/** @param {Session} session */
function useCards(session) {
  const last = useRef(/** @type {import("./identity.js").Piles} */ (new Map()));
  return useMemo(() => (last.current = identify(last.current, session.piles)), [session]);
}

/**
 * How many pixels a column is wide: as many as there is room for, and enough to read a card; and how many that is at least.
 *
 * @param {{ current: HTMLElement | null }} board
 * @param {import("./api.js").Game} game
 */
function useUnit(board, game) {
  const [sizes, setSizes] = useState({ unit: 0, least: 0 });
  const { columns, rows } = extent(game);
  useLayoutEffect(() => {
    const felt = board.current?.parentElement;
    if (!felt) return undefined;
    const measure = () => {
      const room = felt.getBoundingClientRect();
      const across = room.width / columns;
      const least = Math.min(across, LEAST);
      setSizes({ unit: Math.floor(Math.min(across, Math.max(room.height / (rows * ROW), least))), least });
    };
    const observer = new ResizeObserver(measure);
    observer.observe(felt);
    measure();
    return () => observer.disconnect();
  }, [columns, rows]);
  return sizes;
}

/** A column is not made narrower than this for want of height, in pixels: the page scrolls instead. */
const LEAST = 56;
