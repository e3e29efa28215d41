/** The page of a race: who takes part, how they stand, and the way to one's own table. */
import { change, inWords } from "./api.js";
import { useAsking } from "./asking.js";
import { useNow } from "./clock.js";
import { html, useEffect, useMemo, useRef, useState } from "./html.js";
import { CopyLink, JoinForm, inviteHere, linkTo, takeSeat } from "./joining.js";
import { useRace } from "./race-state.js";
import { forget, keepSeat, remember, seatAt } from "./seats.js";
import { counted, optionsInWords, span, title } from "./words.js";

/** @type {Record<string, string>} */
const STATUSES = { open: "Open: waiting for its host to start it", running: "Running", over: "Over" };

/**
 * @typedef {import("./api.js").Race} Race
 * @typedef {import("./api.js").Standing} Standing
 * @typedef {import("./seats.js").Seat} Seat
 * @typedef {(path: string) => void} Go
 * @typedef {ReturnType<typeof usePlace>} Place
 *
 * @param {{ id: string, games: import("./api.js").Game[], go: Go }} props
 */
export function RacePage({ id, games, go }) {
  const place = usePlace(id);
  const { seat, problem } = place;
  const { race, connection, ended } = useRace(id, seat?.token);
  const game = games.find((each) => each.id === race?.game);
  const own = race?.standings.find((standing) => standing.seat === seat?.seat);
  useEffect(() => {
    document.title = game ? `Race: ${game.name} – Patience` : "Race – Patience";
  }, [game]);
  const toTable = useOwnTable(race, seat, own, go);
  if (!race || !game) return html`<${Outside} place=${place} ended=${ended} />`;
  return html`<main tabindex="-1" class="race">
    <p class="crumb"><a href="/">Lobby</a></p>
    <h1>Race: ${game.name}</h1>
    <p>${optionsInWords(race.options)}</p>
    <p role="status">${STATUSES[race.status]}. ${connection === "lost" ? "The connection is lost: trying again …" : ""}</p>
    <p><${TimeLeft} race=${race} /></p>
    ${race.status === "open" && html`<${WaitingRoom} race=${race} place=${place} />`}
    ${problem && html`<p class="banner" role="alert">${problem}</p>`}
    ${own && html`<p><button type="button" class="main" onClick=${toTable}>
      ${race.status === "running" ? "To my table" : "Look at my table"}</button></p>`}
    ${race.standings.length > 0 && html`<${Standings} race=${race} own=${seat?.seat} />`}
    ${race.status === "over" && race.deal.seed !== null && html`<p class="deal">The seed was <code>${race.deal.seed}</code>.</p>`}
  </main>`;
}

/**
 * One's place in a race: the seat that this browser has, and what can be asked for there.
 *
 * @param {string} id of the race
 */
function usePlace(id) {
  const [seat, setSeat] = useState(() => seatAt(id));
  const [problem, setProblem] = useState("");
  const path = `/v1/races/${id}`;
  const asking = useAsking();
  const attempt = (/** @type {() => Promise<any>} */ ask, /** @type {(told: any) => void} */ done) => {
    setProblem("");
    return asking(ask, done, (error) => setProblem(inWords(error)));
  };
  const join = (/** @type {string} */ name) =>
    attempt(async () => {
      const told = await takeSeat(`${path}/players`, name);
      return keepSeat("race", id, { ...told, invite: inviteHere() }, told.race.game);
    }, setSeat);
  const start = () => attempt(() => change("POST", `${path}/start`, { token: seat?.token }), () => undefined);
  const leave = () =>
    attempt(
      async () => {
        await change("DELETE", `${path}/players/${seat?.seat}`, { token: seat?.token });
        forget(id);
      },
      () => setSeat(undefined),
    );
  return { seat, problem, join, start, leave };
}

/**
 * The way to one's own table, on which whoever waits for the start is taken there: the clock runs.
 *
 * @param {Race | undefined} race
 * @param {Seat | undefined} seat
 * @param {Standing | undefined} own
 * @param {Go} go
 */
function useOwnTable(race, seat, own, go) {
  const toTable = () => {
    if (!race || !seat || !own) return;
    const { session: id } = own;
    // Everybody has a table for himself, so his seat is its first one, with the token that he has in the race.
    const taken = { kind: /** @type {const} */ ("session"), id, token: seat.token, seat: 1, game: race.game };
    if (!seatAt(id)) remember({ ...taken, at: Date.now(), race: race.id });
    go(`/sessions/${id}`);
  };
  const wasOpen = useRef(false);
  useEffect(() => {
    if (race?.status === "open") wasOpen.current = true;
    if (wasOpen.current && race?.status === "running") toTable();
  }, [race?.status, own?.session]);
  return toTable;
}

/** What is seen of a race that is not known, or not yet. @param {{ place: Place, ended: string }} props */
function Outside({ place: { seat, problem, join }, ended }) {
  const isInvited = ended === "gone" && !seat && inviteHere() !== undefined;
  const says = ended ? "There is no such race, or it is private and you are not one of its players." : "Connecting …";
  return html`<main tabindex="-1" class="message">
    ${isInvited
      ? html`<${JoinForm} says="You are invited to a private race." does="Join" problem=${problem} join=${join} />`
      : html`<p role="status">${says}</p>`}
    <p><a href="/">To the lobby</a></p></main>`;
}

/** Who takes part in a race that has not begun, and how to come in. @param {{ race: Race, place: Place }} props */
function WaitingRoom({ race, place: { seat, join, start, leave } }) {
  const { players, seats } = race;
  const you = players.find((player) => player.seat === seat?.seat);
  const link = linkTo(location.pathname, seat?.invite ?? inviteHere());
  return html`<section aria-label="Players">
    <h2>${counted(players.length, "player")} of ${seats}</h2>
    <ul>${players.map((player) => html`<li key=${player.seat}>
      ${player.name}${player.host ? " (host)" : ""}${player === you ? " (you)" : ""}</li>`)}</ul>
    ${!you && players.length < seats && html`<${JoinForm} does="Join" join=${join} />`}
    ${you?.host && html`<${Start} canStart=${players.length > 1} start=${start} />`}
    ${you && html` <button type="button" class="quiet" onClick=${leave}>Leave</button>`}
    <${CopyLink} link=${link} name="Copy link for friends" /><p><code>${link}</code></p>
  </section>`;
}

/** @param {{ canStart: boolean, start: () => Promise<void> }} props */
function Start({ canStart, start }) {
  return html`<button type="button" class="main" aria-disabled=${!canStart} onClick=${() => canStart && void start()}>
    ${canStart ? "Start" : "It can start when somebody has joined"}</button>`;
}

/** @param {{ race: Race }} props */
function TimeLeft({ race }) {
  const now = useNow();
  if (race.status === "open") return html`It may take ${span(1_000 * race.limit_s)} from its start.`;
  if (race.status === "over" || !race.ends_at) return null;
  return html`${span(Date.parse(race.ends_at) - now)} left.`;
}

/** @param {{ race: Race, own: number | undefined }} props */
function Standings({ race, own }) {
  const heads = ["Place", "Player", "Status", "Placed", "Moves", "Time"];
  return html`<div class="scrolls" tabindex="0" role="region" aria-label="Standings"><table class="standings">
    <caption>Standings</caption>
    <thead><tr>${heads.map((head) => html`<th scope="col">${head}</th>`)}</tr></thead>
    <tbody>${race.standings.map((standing) => html`<${Row} key=${standing.seat} race=${race} standing=${standing}
      isOwn=${standing.seat === own} />`)}</tbody>
  </table></div>`;
}

/** @param {{ race: Race, standing: Standing, isOwn: boolean }} props */
function Row({ race, standing, isOwn }) {
  const { rank, name, status, placed, moves, session, finished_at } = standing;
  const began = Date.parse(race.starts_at ?? race.created_at);
  const mayLook = race.status === "over";
  return html`<tr class=${isOwn ? "own" : ""}>
    <td>${rank}</td>
    <th scope="row">${mayLook ? html`<a href=${`/sessions/${session}#race=${race.id}`}>${name}</a>` : name}${isOwn ? " (you)" : ""}</th>
    <td>${title(status)}</td><td>${placed}</td><td>${moves}</td>
    <td>${finished_at ? span(Date.parse(finished_at) - began) : "–"}</td>
  </tr>`;
}

/**
 * How a race stands, beside one's own table; on a phone in a line, as the table needs the room.
 *
 * @param {{ id: string, token: string }} props
 */
export function RaceBeside({ id, token }) {
  const { race } = useRace(id, token);
  const isWide = useMemo(() => matchMedia("(min-width: 40rem)").matches, []);
  if (!race) return null;
  const own = race.standings.find(({ seat }) => seat === seatAt(id)?.seat);
  return html`<aside class="beside" aria-label="Race">
    <p><a href=${`/races/${id}`}>Race</a>: ${STATUSES[race.status]}. <${TimeLeft} race=${race} /></p>
    <details open=${isWide}><summary>Standings${own && `: you are ${own.rank} of ${race.standings.length}`}</summary>
      <${Standings} race=${race} own=${own?.seat} /></details>
  </aside>`;
}
