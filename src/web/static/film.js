/** The history of a session: step by step, or as a film. */
import { history, inWords, sleep } from "./api.js";
import { html, useEffect, useState } from "./html.js";
import { entryInWords } from "./words.js";

/** How long each step of a film is shown, in milliseconds. */
const STEP = 650;

/** How long each of several moves is that were made at once. */
const QUICK_STEP = 250;

/** What is drawn on buttons. */
const SIGNS = {
  first: "M3 3h3v14H3zM17 3v14L7 10z",
  back: "M14 3v14L4 10z",
  play: "M5 2l13 8-13 8z",
  stop: "M4 3h4v14H4zM12 3h4v14h-4z",
  forward: "M6 3v14l10-7z",
  last: "M14 3h3v14h-3zM3 3v14l10-7z",
};

/**
 * @param {{ game: import("./api.js").Game, state: import("./table-state.js").TableState,
 *   table: import("./table-state.js").Table }} props
 */
export function Film({ game, state, table }) {
  const newest = table.session?.version ?? 1;
  const shown = table.past?.version ?? newest;
  const [runs, setRuns] = useState(false);
  const look = (/** @type {number} */ version) => state.look(Math.min(newest, Math.max(1, version)));

  useRunning(game, state, runs, () => setRuns(false));
  const start = async () => {
    if (!runs && shown >= newest) await look(1);
    setRuns(!runs);
  };
  /** @param {keyof typeof SIGNS} sign @param {string} name @param {boolean} possible @param {() => void} run */
  const button = (sign, name, possible, run) =>
    html`<button type="button" aria-label=${name} title=${name} aria-disabled=${!possible} onClick=${() => possible && run()}>
      <svg viewBox="0 0 20 20" aria-hidden="true"><path d=${SIGNS[sign]} /></svg></button>`;
  return html`<section class="film" aria-label="History">
    ${button("first", "To the deal", shown > 1, () => void look(1))}
    ${button("back", "A step back", shown > 1, () => void look(shown - 1))}
    ${runs ? button("stop", "Stop the film", true, start) : button("play", "Play as a film", newest > 1, start)}
    ${button("forward", "A step forward", shown < newest, () => void look(shown + 1))}
    ${button("last", "To the present", shown < newest, () => void look(newest))}
    <input type="range" aria-label="Step" min="1" max=${newest} value=${shown}
      onInput=${(/** @type {any} */ event) => void look(Number(event.target.value))} />
    <output>${table.past ? `Step ${shown} of ${newest}: nothing can be played here` : `Step ${newest}`}</output>
    <${Entries} state=${state} table=${table} />
  </section>`;
}

/**
 * Shows a step after the other while it runs.
 *
 * @param {import("./api.js").Game} game
 * @param {import("./table-state.js").TableState} state
 * @param {boolean} runs
 * @param {() => void} ended called at the last one, or when one cannot be seen
 */
function useRunning(game, state, runs, ended) {
  useEffect(() => {
    if (!runs) return undefined;
    let isWanted = true;
    const after = async (/** @type {number} */ pause) => {
      await sleep(pause);
      return isWanted;
    };
    const run = async () => {
      while (await after(STEP)) {
        if (!(await state.lookOn(game, () => after(QUICK_STEP)))) return ended();
      }
    };
    void run();
    return () => {
      isWanted = false;
    };
  }, [state, runs]);
}

/**
 * Who was at the table before a version, as far as entries tell; the first player is known from no entry.
 *
 * @param {number} version
 * @param {import("./api.js").Entry[]} entries
 */
function playersAt(version, entries) {
  /** @type {Map<number, { seat: number, name: string, host: boolean }>} */
  const players = new Map();
  for (const entry of entries) {
    if (entry.version >= version) break;
    if (entry.type === "joined" && entry.seat) players.set(entry.seat, { seat: entry.seat, name: entry.name, host: false });
  }
  return [...players.values()];
}

/** All entries in words, on demand. @param {{ state: import("./table-state.js").TableState, table: import("./table-state.js").Table }} props */
function Entries({ state, table }) {
  const newest = table.session?.version ?? 0;
  const [isOpen, setOpen] = useState(false);
  const [entries, setEntries] = useState(/** @type {import("./api.js").Entry[]} */ ([]));
  const known = entries.at(-1)?.version ?? 0;

  useEffect(() => {
    if (!isOpen || known >= newest) return undefined;
    let isWanted = true;
    history(state.path, known, state.token).then(
      (more) => isWanted && setEntries([...entries, ...more.filter(({ version }) => version > known)]),
      (error) => isWanted && state.say(inWords(error)),
    );
    return () => {
      isWanted = false;
    };
  }, [isOpen, known, newest]);

  const words = (/** @type {import("./api.js").Entry} */ entry) =>
    entryInWords(entry, { players: playersAt(entry.version, entries), own: state.seat });
  return html`<details onToggle=${(/** @type {any} */ event) => setOpen(event.target.open)}>
    <summary>All that has happened</summary>
    <ol class="entries">${isOpen && entries.map((entry) => html`<li key=${entry.version} value=${entry.version}>
      <button type="button" onClick=${() => void state.look(entry.version)}>${words(entry)}</button></li>`)}</ol>
  </details>`;
}
