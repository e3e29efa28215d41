/** The page of a session: the table, those who are at it, and what can be done. */

import { change, inWords } from "./api.js";
import { useAsking } from "./asking.js";
import { Board } from "./board.js";
import { Shapes } from "./card.js";
import { Ending, Resign } from "./ending.js";
import { Film } from "./film.js";
import { html, useEffect, useMemo, useRef, useState } from "./html.js";
import { CopyLink, Invited, Joining, inAddress, inviteHere, linkTo } from "./joining.js";
import { Prose } from "./prose.js";
import { RaceBeside } from "./race.js";
import { forget, keepsNothing, lettersAreKeys, seatAt, switchLetters } from "./seats.js";
import { TableState } from "./table-state.js";
import { Toolbar, actionsOf } from "./toolbar.js";
import { counted, optionsInWords } from "./words.js";

/** What connections are called. */
const CONNECTIONS = {
  connecting: "Connecting …",
  open: "Connected",
  lost: "Connection lost: trying again …",
  paused: "Waiting in the background",
  ended: "Not followed any more",
};

/** Why there is nothing more to come. @type {Record<string, string>} */
const ENDS = {
  gone: "There is no such table, or it is private and you are not one of its players.",
  deleted: "This table was removed.",
  expired: "This table has expired.",
  seat_left: "You have left your seat.",
  replaced: "This table is not the one that it was. Load the page again.",
};

const UNKNOWN_GAME = "The server has learned this game since the page was loaded. Load it again.";

/**
 * @param {{ id: string, games: import("./api.js").Game[], go: (path: string) => void }} props
 */
export function TablePage({ id, games, go }) {
  const [seat, setSeat] = useState(() => seatAt(id));
  const [table, state] = useTable(id, seat);
  const { session, past, connection, ended } = table;
  const game = games.find((each) => each.id === session?.game);

  useEffect(() => {
    document.title = game ? `${game.name} – Patience` : "Patience";
  }, [game]);
  useEffect(() => {
    // Who has left his seat, or was sent away, watches on if he may.
    if (!seat || !["seat_left", "gone"].includes(ended)) return;
    forget(id);
    setSeat(undefined);
  }, [ended]);

  if (!session || !game) {
    const isInvited = ended === "gone" && !seat && inviteHere() !== undefined;
    const says = session ? UNKNOWN_GAME : ended ? ENDS[ended] : CONNECTIONS[connection];
    return html`<main tabindex="-1" class="message">
      ${isInvited ? html`<${Invited} id=${id} joined=${setSeat} />` : html`<p role="status">${says}</p>`}
      <p><a href="/">To the lobby</a></p></main>`;
  }
  const isSeated = seat !== undefined && session.players.some((player) => player.seat === seat.seat) && !ended;
  const canPlay = isSeated && session.status === "playing" && !past;
  const isRacing = seat?.race !== undefined && session.deal.seed === null;
  const whyNot = () => past && state.say("You are looking back: nothing can be played here.");
  const actions = actionsOf(state, session, isSeated && !past, isRacing);
  return html`<${Shapes} />
    <main tabindex="-1" class="table">
      <${Head} game=${game} session=${session} table=${table} seat=${seat} />
      ${ended && html`<p class="banner" role="alert">${ENDS[ended]}</p>`}
      ${!isSeated && html`<${Joining} session=${session} id=${id} joined=${setSeat} />`}
      <${Toolbar} actions=${actions} session=${past ?? session} clock=${session} isSeated=${isSeated} whyNot=${whyNot}>
        ${mayResign(session, isSeated, seat) && html`<${Resign} state=${state} isPast=${!!past} whyNot=${whyNot} />`}
        ${isSeated && session.seats > 1 && !isRacing && html`<${Leave} state=${state} seat=${seat} />`}
      </${Toolbar}>
      ${seat?.race && html`<${RaceBeside} id=${seat.race} token=${seat.token} />`}
      ${past && html`<p class="banner past">You are looking back at step ${past.version} of ${session.version}.
        <button type="button" onClick=${() => void state.look(session.version)}>Back to the game</button></p>`}
      <${Board} game=${game} session=${past ?? session} canPlay=${canPlay} say=${state.say} whyNot=${whyNot}
        hint=${past ? undefined : table.hint} play=${(/** @type {import("./api.js").Move} */ move) => state.ask("moves", move)} />
      <${Ending} table=${table} state=${state} isSeated=${isSeated} go=${go} />
      <${Sayings} table=${table} />
      <${Film} game=${game} state=${state} table=${table} />
      <${Rules} game=${game} />
    </main>`;
}

/** What shows a rival's table in a private race, when it is over: the page's address says which race. */
function rivalsToken() {
  return seatAt(inAddress("race") ?? "")?.token;
}

/**
 * @param {string} id
 * @param {import("./seats.js").Seat | undefined} own
 * @returns {[import("./table-state.js").Table, TableState]}
 */
function useTable(id, own) {
  const token = own?.token ?? rivalsToken();
  const seat = own?.seat;
  const [, redraw] = useState(0);
  const last = useRef(/** @type {TableState | undefined} */ (undefined));
  const state = useMemo(() => {
    // Who takes a seat goes on with what he has watched.
    const known = token ? last.current?.now.session : undefined;
    return (last.current = new TableState(id, { token, seat }, () => redraw((count) => count + 1), known));
  }, [id, token, seat]);
  useEffect(() => {
    state.open();
    return () => state.close();
  }, [state]);
  return [state.now, state];
}

/**
 * @param {{ game: import("./api.js").Game, session: import("./api.js").Session, table: import("./table-state.js").Table,
 *   seat: import("./seats.js").Seat | undefined }} props
 */
function Head({ game, session, table, seat }) {
  const { presence, connection } = table;
  // Who looks at this is here, if the others are told so yet or not.
  const online = [...(presence?.online ?? []), ...(seat && connection !== "lost" ? [seat.seat] : [])];
  const watchers = watchersInWords(presence?.watchers ?? 0, seat === undefined);
  return html`<header class="head">
    <p class="crumb"><a href="/">Lobby</a></p>
    <h1>${game.name}</h1>
    <p class="options">${optionsInWords(session.options)}</p>
    <ul class="people" aria-label="Players">
      ${session.players.map((player) => html`<li key=${player.seat} class=${online.includes(player.seat) ? "online" : "offline"}>
        <span class="dot" aria-hidden="true"></span>${player.name}${player.seat === seat?.seat ? " (you)" : ""}
        <span class="unseen">${online.includes(player.seat) ? ", is here" : ", is away"}</span></li>`)}
      ${watchers && html`<li>${watchers}</li>`}
    </ul>
    <p class=${`connection ${connection}`} role="status">${table.waiting ? "Waiting for the server …" : CONNECTIONS[connection]}</p>
    <${CopyLink} link=${linkHere(seat)} name="Copy link" />
    ${keepsNothing() && html`<p role="note">This browser keeps nothing: your seat is lost when the page is closed.</p>`}
  </header>`;
}

/** How many watch; who watches himself is told of the others. @param {number} count @param {boolean} isOne */
function watchersInWords(count, isOne) {
  const others = isOne ? count - 1 : count;
  if (others <= 0) return "";
  return isOne ? `${counted(others, "other")} watching` : `${others} watching`;
}

/** The link to a table, or to the race that it belongs to. @param {import("./seats.js").Seat | undefined} seat */
function linkHere(seat) {
  return seat?.race ? linkTo(`/races/${seat.race}`, seatAt(seat.race)?.invite) : linkTo(location.pathname, seat?.invite);
}

/** A way to leave one's seat to others. @param {{ state: TableState, seat: import("./seats.js").Seat }} props */
function Leave({ state, seat }) {
  const asking = useAsking();
  const ask = () => change("DELETE", `${state.path}/players/${seat.seat}`, { token: seat.token });
  const leave = () => asking(ask, () => undefined, (error) => state.say(inWords(error)));
  return html`<button type="button" class="quiet" onClick=${leave}>Leave the table</button>`;
}

/** @param {import("./api.js").Session} session @param {boolean} isSeated @param {import("./seats.js").Seat | undefined} seat */
function mayResign(session, isSeated, seat) {
  const isHost = session.players.some((player) => player.host && player.seat === seat?.seat);
  return isSeated && session.finished_at === null && (session.seats === 1 || isHost);
}

/**
 * What the player is told: what has happened, for those who do not see it, and what the server says to him.
 *
 * @param {{ table: import("./table-state.js").Table }} props
 */
function Sayings({ table }) {
  const { said, happened } = table;
  const [shown, setShown] = useState(said);
  useEffect(() => {
    setShown(said);
    const timer = setTimeout(() => setShown({ text: "", number: said.number }), 7_000);
    return () => clearTimeout(timer);
  }, [said.number]);
  // What is said twice is put there anew, so as to be heard twice.
  return html`<p class="happened" aria-live="polite" id="happened"><span key=${happened.number}>${happened.text}</span></p>
    <p class=${`saying ${shown.text ? "shown" : ""}`} role="alert"><span key=${shown.number}>${shown.text}</span></p>`;
}

/** What the game is about, and what keys do. @param {{ game: import("./api.js").Game }} props */
function Rules({ game }) {
  const [areKeys, setKeys] = useState(lettersAreKeys());
  const choose = (/** @type {any} */ event) => {
    switchLetters(event.target.checked);
    setKeys(event.target.checked);
  };
  return html`<details class="rules"><summary>How it is played, and keys</summary>
    <${Prose} game=${game} />
    <p>Drag cards, or click them and then where they are to go; a double click sends a card to its place. With the keyboard, arrows go from
      card to card, Enter picks up and puts down, Escape puts back; <kbd>d</kbd> draws, <kbd>u</kbd> and <kbd>r</kbd> undo and redo,
      <kbd>h</kbd> gives a hint, <kbd>a</kbd> sends cards to their places. With Shift, Enter or a click takes the top card of the stock,
      where the game lets it go elsewhere.</p>
    <p><label><input type="checkbox" checked=${areKeys} onChange=${choose} /> Letters are keys</label></p>
  </details>`;
}
