/** What a game has come to, and what can be done then. */
import { getWhenReady, inWords } from "./api.js";
import { useAsking } from "./asking.js";
import { html, useEffect, useMemo, useState } from "./html.js";
import { openNew } from "./joining.js";
import { named, playerName } from "./seats.js";
import { capital, counted, moveInWords } from "./words.js";

/**
 * @param {{ table: import("./table-state.js").Table, state: import("./table-state.js").TableState, isSeated: boolean,
 *   go: (path: string) => void }} props
 */
export function Ending({ table, state, isSeated, go }) {
  const { session } = table;
  if (!session) return null;
  const isOver = session.finished_at !== null;
  const text = verdict(session, table.stuck);
  return html`<section class=${`ending ${text ? session.status : ""}`} aria-label="How it stands">
    <p class="verdict" role="status">${text}</p>
    <div class="actions">
      ${text && isSeated && session.can_undo && !isOver && html`<button type="button" onClick=${() => void state.ask("undo")}>Take the last move back</button>`}
      ${isOver && html`<${Again} session=${session} state=${state} go=${go} />`}
    </div>
    ${isOver && html`<${DealCheck} deal=${session.deal} />`}
    ${isOver && session.status !== "won" && isRevealed(session.deal) && html`<${Solution} state=${state} />`}
  </section>`;
}

/** Whether it is told where the cards came from: while a race goes on it is not. @param {import("./api.js").Session["deal"]} deal */
function isRevealed({ seed, deck, pysolfc }) {
  return [seed, deck, pysolfc].some((each) => each !== null);
}

/** @param {import("./api.js").Session} session @param {boolean | null} stuck */
function verdict({ status, moves, placed, cards, can_undo }, stuck) {
  if (status === "won") return `Won, with ${counted(moves, "move")}.`;
  if (status === "lost") return `Lost: no move is left, and ${placed} of ${cards} cards are placed.${can_undo ? " You can take moves back." : ""}`;
  if (status === "resigned") return `Given up, with ${placed} of ${cards} cards placed.`;
  if (status === "timed_out") return `Time is up, with ${placed} of ${cards} cards placed.`;
  if (stuck) return `Stuck: no move gets any further.${can_undo ? " You can take moves back, or give up." : " You can give up."}`;
  return "";
}

/**
 * A way to give up that asks once more.
 *
 * @param {{ state: import("./table-state.js").TableState, isPast: boolean, whyNot: () => void }} props
 */
export function Resign({ state, isPast, whyNot }) {
  const [asks, setAsks] = useState(false);
  const resign = () => {
    setAsks(false);
    void state.ask("resign");
  };
  if (!asks || isPast) {
    return html`<button type="button" class="quiet" aria-disabled=${isPast}
      onClick=${isPast ? whyNot : () => setAsks(true)}>Give up</button>`;
  }
  return html`<span role="group" aria-label="Give up?">Give up for good?
    <button type="button" onClick=${resign}>Give up</button>
    <button type="button" onClick=${() => setAsks(false)}>Cancel</button></span>`;
}

/**
 * Another game with the same options, of another deal or the same.
 *
 * @param {{ session: import("./api.js").Session, state: import("./table-state.js").TableState, go: (path: string) => void }} props
 */
function Again({ session, state, go }) {
  const { game, options, deal, undo, autoplay, seats, visibility } = session;
  const asking = useAsking();
  const wish = { game, options, undo, autoplay, seats, visibility, ...named(playerName()) };
  const open = (/** @type {object} */ more) =>
    asking(() => openNew("session", { ...wish, ...more }), go, (error) => state.say(inWords(error)));
  const same = [{ seed: deal.seed }, { deck: deal.deck }, { pysolfc: deal.pysolfc }].find((each) => Object.values(each)[0] !== null);
  // Who has asked for a deal that can be won is given another one that can.
  const other = deal.source === "winnable" ? { winnable: true } : {};
  return html`<button type="button" onClick=${() => void open(other)}>Another deal${other.winnable ? " that can be won" : ""}</button>
    ${same && html`<button type="button" onClick=${() => void open(same)}>The same deal again</button>`}`;
}

/**
 * Whether the seed is the one that the server had committed itself to, worked out here.
 *
 * @param {{ deal: import("./api.js").Session["deal"] }} props
 */
function DealCheck({ deal }) {
  const [result, setResult] = useState("");
  const { seed, commitment } = deal;
  useEffect(() => {
    if (seed === null || commitment === null) return;
    hashOf(seed).then(
      (hash) => setResult(hash === commitment ? "It matches the commitment that was shown before the first move ✓" : "It does NOT match the commitment ✗"),
      () => setResult("To check it, load the page again: the server has another release."),
    );
  }, [seed, commitment]);
  if (!isRevealed(deal)) return null;
  if (deal.pysolfc !== null) return html`<p class="deal">The deal was number <code>${deal.pysolfc}</code> of PySolFC.</p>`;
  if (seed === null) return html`<p class="deal">The deck was given by who made this table.</p>`;
  return html`<p class="deal">The seed was <code class="seed">${seed}</code>. ${commitment === null ? "Who made this table chose it." : result}</p>`;
}

/** The SHA-256 of a text, in hexadecimal digits. @param {string} text */
async function hashOf(text) {
  const [{ sha256 }, { bytesToHex, utf8ToBytes }] = await Promise.all([import("./vendor/sha2.js"), import("./vendor/utils.js")]);
  return bytesToHex(sha256(utf8ToBytes(text)));
}

/** How the deal could have been won. @param {{ state: import("./table-state.js").TableState }} props */
function Solution({ state }) {
  const [found, setFound] = useState(/** @type {import("./api.js").Schemas["Solution"] | undefined} */ (undefined));
  const [says, setSays] = useState("");
  const leaving = useMemo(() => new AbortController(), []);
  useEffect(() => () => leaving.abort(), []);
  const look = async () => {
    setSays("Looking for a way to win …");
    try {
      setFound(await getWhenReady(`${state.path}/solution`, state.token, leaving.signal));
      setSays("");
    } catch (error) {
      if (!leaving.signal.aborted) setSays(inWords(error));
    }
  };
  if (!found) return html`<p><button type="button" class="quiet" onClick=${look}>Could it be won?</button> <span role="status">${says}</span></p>`;
  if (found.verdict === "unwinnable") return html`<p role="status">No: it is proved that this deal cannot be won.</p>`;
  if (found.verdict === "unknown") return html`<p role="status">Nobody knows: the server has found no way to win, and no proof that there is none.</p>`;
  return html`<details><summary>Yes, with ${counted(found.moves.length, "move")}: show how</summary>
    <ol class="entries">${found.moves.map((/** @type {import("./api.js").Move} */ move) => html`<li>${capital(moveInWords(move))}</li>`)}</ol></details>`;
}
