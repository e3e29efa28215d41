/** What can be done at a table besides moving cards, by buttons and keys, and how the game stands in figures. */
import { useNow } from "./clock.js";
import { html, useLayoutEffect, useRef } from "./html.js";
import { lettersAreKeys } from "./seats.js";
import { span } from "./words.js";

/**
 * @typedef {"draw" | "undo" | "redo" | "hint" | "autoplay" | "playOn"} ActionName
 */

/** Keys, and what they do. @type {Record<string, ActionName>} */
const KEYS = { d: "draw", u: "undo", r: "redo", h: "hint", a: "autoplay" };

/**
 * @typedef {object} Action
 * @property {string} name
 * @property {string} does what it does, in words
 * @property {boolean} possible
 * @property {() => void} run
 */

/**
 * What can be done besides moving cards.
 *
 * @param {import("./table-state.js").TableState} state
 * @param {import("./api.js").Session} session
 * @param {boolean} may whether the player may do anything
 * @param {boolean} isRacing whether nobody may help him
 * @returns {Partial<Record<ActionName, Action>>}
 */
export function actionsOf(state, session, may, isRacing) {
  const playing = may && session.status === "playing";
  const stock = session.piles.find(({ kind }) => kind === "stock");
  const isEmpty = stock?.cards.length === 0 && stock.face_down === 0;
  /**
   * @param {string} name @param {string} does @param {string} what @param {unknown} [body] @param {boolean} [possible]
   * @returns {Action}
   */
  const asks = (name, does, what, body, possible = playing) => {
    const run = () => void state.ask(what, body);
    return { name, does, possible, run };
  };
  const draw = { name: "Draw", does: "Draws a card", body: { type: "draw" } };
  const redeal = { name: "Redeal", does: "Turns the waste over", body: { type: "redeal" } };
  const next = isEmpty ? redeal : draw;
  const helps = {
    hint: { name: "Hint", does: "Says what could be done next", possible: playing, run: () => void state.askHint() },
    autoplay: asks("Send up", "Sends up all cards that can go up, and draws none", "autoplay", { draws: false }),
    playOn: asks("Play on", "Sends cards up, and draws while nothing else can be done", "autoplay", { draws: true }),
  };
  return {
    // Where it may not be done, the server says why.
    draw: asks(next.name, next.does, "moves", next.body),
    undo: asks("Undo", "Takes the last move back", "undo", undefined, may && session.can_undo),
    redo: asks("Redo", "Plays again what was taken back", "redo", undefined, may && session.can_redo),
    ...(isRacing ? {} : helps),
  };
}

/**
 * Keys do what buttons do, wherever the focus is but in a field to write in.
 *
 * @param {ReturnType<typeof actionsOf>} actions
 * @param {() => void} whyNot called for what is not possible
 */
function useKeys(actions, whyNot) {
  const latest = useRef({ actions, whyNot });
  latest.current = { actions, whyNot };
  useLayoutEffect(() => {
    const down = (/** @type {KeyboardEvent} */ event) => {
      const name = isWriting(event) || event.repeat ? undefined : nameOf(event);
      const action = name && latest.current.actions[name];
      if (!action) return;
      event.preventDefault();
      if (action.possible) action.run();
      else latest.current.whyNot();
    };
    addEventListener("keydown", down);
    return () => removeEventListener("keydown", down);
  }, []);
}

/**
 * Whether a key is for a field; what fills a field in of itself presses keys without a name.
 *
 * @param {KeyboardEvent} event
 */
function isWriting({ target, key }) {
  return !key || (target instanceof HTMLElement && target.matches("input:not([type=range]), select, textarea"));
}

/**
 * What a key does; with Ctrl, what it does everywhere.
 *
 * @param {KeyboardEvent} event
 * @returns {ActionName | undefined}
 */
function nameOf(event) {
  if (event.altKey) return undefined;
  const key = event.key.toLowerCase();
  if (!event.ctrlKey && !event.metaKey) return lettersAreKeys() && !event.shiftKey ? KEYS[key] : undefined;
  if (key === "z") return event.shiftKey ? "redo" : "undo";
  return key === "y" ? "redo" : undefined;
}

/**
 * @param {{ actions: ReturnType<typeof actionsOf>, session: import("./api.js").Session,
 *   clock: import("./api.js").Session, isSeated: boolean, whyNot: () => void, children?: any }} props
 */
export function Toolbar({ actions, session, clock, isSeated, whyNot, children }) {
  const keys = Object.fromEntries(Object.entries(KEYS).map(([key, name]) => [name, key]));
  useKeys(actions, whyNot);
  return html`<div class="toolbar">
    ${isSeated && html`<div class="actions" role="group" aria-label="What can be done">
      ${Object.entries(actions).map(([id, { name, does, possible, run }]) => html`<button type="button" key=${id}
        class=${`do-${id}`} title=${keys[id] ? `${does} (${keys[id]})` : does} aria-keyshortcuts=${keys[id]}
        aria-disabled=${!possible} onClick=${possible ? run : whyNot}>${name}</button>`)}
      ${children}
    </div>`}
    <dl class="facts">
      <div><dt>Placed</dt><dd>${session.placed} of ${session.cards}</dd></div>
      ${hasRedeals(session) && html`<div><dt>Redeals left</dt><dd>${session.redeals_left}</dd></div>`}
      <div><dt>Moves</dt><dd>${session.moves}</dd></div>
      <div><dt>Time</dt><dd><${Clock} session=${clock} /></dd></div>
    </dl>
  </div>`;
}

/** Whether the waste is ever turned over. @param {import("./api.js").Session} session */
function hasRedeals({ redeals_left, options }) {
  return redeals_left > 0 || "redeals" in options;
}

/** @param {{ session: import("./api.js").Session }} props */
function Clock({ session }) {
  const end = session.finished_at ? Date.parse(session.finished_at) : undefined;
  const now = useNow(end === undefined);
  return html`${span((end ?? now) - Date.parse(session.created_at))}`;
}
