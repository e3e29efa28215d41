/**
 * Cards dragged by mouse, finger or pen. While they are, their elements are moved directly: nothing is drawn anew for
 * a pointer that moves. What is drawn anew meanwhile sets the classes of a card, so `data-drag` says that it is dragged.
 *
 * @typedef {object} Grip what was taken hold of
 * @property {string} pile
 * @property {number} index of the lowest card that comes along
 * @property {string[]} keys of all cards that come along
 *
 * @typedef {object} Hold a grip, and the pointer that has it
 * @property {Grip} grip
 * @property {number} pointer
 * @property {number} x where it was taken, in pixels
 * @property {number} y
 * @property {number} slack how far it may go before it drags
 * @property {HTMLElement[]} cards those that come along
 *
 * @typedef {object} Drag
 * @property {(grip: Grip) => boolean} mayTake whether it can be taken
 * @property {(grip: Grip) => void} taken it moves now
 * @property {(grip: Grip, where: DOMRect) => Promise<void> | undefined} dropped it was let go of, with its lowest card
 *   there; what this gives ends when it is known what becomes of it
 * @property {() => void} ended nothing is dragged any more
 */

/** How far a pointer moves before it drags, in pixels. */
const SLACK = { mouse: 4, touch: 9 };

/**
 * Lets cards be dragged on a board until what this gives is called.
 *
 * @param {HTMLElement} board
 * @param {() => Drag} drag what is done about it now
 */
export function enableDragging(board, drag) {
  /** @type {Hold | undefined} */
  let held;
  let moves = { x: 0, y: 0 };
  let frame = 0;

  const down = (/** @type {PointerEvent} */ event) => {
    const grip = gripOf(event.target);
    // A pointer whose end was never heard of holds nothing any more.
    if (held?.cards.length === 0) held = undefined;
    if (held || !grip || event.button !== 0 || !event.isPrimary || !drag().mayTake(grip)) return;
    const slack = event.pointerType === "mouse" ? SLACK.mouse : SLACK.touch;
    held = { grip, pointer: event.pointerId, x: event.clientX, y: event.clientY, slack, cards: [] };
  };

  const move = (/** @type {PointerEvent} */ event) => {
    if (held?.pointer !== event.pointerId) return;
    if (event.buttons === 0) return up(event);
    moves = { x: event.clientX - held.x, y: event.clientY - held.y };
    if (held.cards.length === 0 && Math.hypot(moves.x, moves.y) < held.slack) return;
    if (held.cards.length === 0) begin(held);
    event.preventDefault();
    frame ||= requestAnimationFrame(draw);
  };

  /** @param {Hold} now */
  function begin(now) {
    now.cards = cardsFrom(board, now.grip);
    now.grip.keys = now.cards.map(({ id }) => id);
    now.cards.forEach((card) => (card.dataset["drag"] = "dragged"));
    board.setPointerCapture(now.pointer);
    drag().taken(now.grip);
  }

  function draw() {
    frame = 0;
    held?.cards.forEach((card) => (card.style.translate = `${moves.x}px ${moves.y}px`));
  }

  const up = (/** @type {PointerEvent} */ event) => {
    if (held?.pointer !== event.pointerId) return;
    const { grip, cards } = held;
    held = undefined;
    if (cards.length === 0) return;
    ignoreClick(board);
    cancelAnimationFrame(frame);
    frame = 0;
    cards.forEach((card) => (card.style.translate = `${moves.x}px ${moves.y}px`));
    const where = cards[0]?.getBoundingClientRect() ?? new DOMRect();
    const answered = event.type === "pointerup" ? drag().dropped(grip, where) : undefined;
    drag().ended();
    void Promise.resolve(answered).finally(() => cards.forEach(letGo));
  };

  /** Nothing is flung by a finger that drags: else the browser takes the next tap for what stops it. */
  const touched = (/** @type {TouchEvent} */ event) => {
    if (held && held.cards.length > 0) event.preventDefault();
  };

  board.addEventListener("pointerdown", down);
  board.addEventListener("pointermove", move);
  board.addEventListener("pointerup", up);
  board.addEventListener("pointercancel", up);
  board.addEventListener("touchmove", touched, { passive: false });
  return () => {
    board.removeEventListener("pointerdown", down);
    board.removeEventListener("pointermove", move);
    board.removeEventListener("pointerup", up);
    board.removeEventListener("pointercancel", up);
    board.removeEventListener("touchmove", touched);
    cancelAnimationFrame(frame);
  };
}

/** A card glides to where it belongs. @param {HTMLElement} card */
function letGo(card) {
  card.dataset["drag"] = "gliding";
  card.style.translate = "";
  setTimeout(() => {
    if (card.dataset["drag"] === "gliding") delete card.dataset["drag"];
  }, 400);
}

/** What ends a drag is no click. @param {HTMLElement} board */
function ignoreClick(board) {
  const stop = (/** @type {Event} */ event) => event.stopPropagation();
  board.addEventListener("click", stop, { capture: true, once: true });
  setTimeout(() => board.removeEventListener("click", stop, { capture: true }), 50);
}

/** @param {EventTarget | null} target @returns {Grip | undefined} */
function gripOf(target) {
  const card = target instanceof Element ? target.closest("[data-index]") : null;
  if (!(card instanceof HTMLElement)) return undefined;
  return { pile: card.dataset["pile"] ?? "", index: Number(card.dataset["index"]), keys: [] };
}

/** @param {HTMLElement} board @param {Grip} grip */
function cardsFrom(board, { pile, index }) {
  const all = /** @type {NodeListOf<HTMLElement>} */ (board.querySelectorAll(`[data-pile="${pile}"][data-index]`));
  const place = (/** @type {HTMLElement} */ card) => Number(card.dataset["index"]);
  return [...all].filter((card) => place(card) >= index).sort((one, other) => place(one) - place(other));
}
