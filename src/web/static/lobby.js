/** Where one comes in: the games, tables of one's own and of others, and races. */
import { get, inWords } from "./api.js";
import { html, useEffect, useState } from "./html.js";
import { inAddress } from "./joining.js";
import { Miniature } from "./miniature.js";
import { Opening } from "./opening.js";
import { forget, onSeatsChanged, seats } from "./seats.js";
import { counted } from "./words.js";

/** How often lists are asked for again, in milliseconds. */
const AGAIN = 10_000;

/** How many tables of one's own are listed, and how many of them at once, so that the games stay in sight. */
const [OWN, SHOWN] = [12, 3];

/**
 * A list of what is open to all.
 *
 * @typedef {object} Listing
 * @property {"sessions" | "races"} kind
 * @property {string} path where it is asked for
 * @property {string} name
 * @property {string} none what is said when nothing is listed
 * @property {(item: any) => string[]} tells what is said of each, besides the game and the players
 */

/** @type {Listing} */
const TABLES = {
  kind: "sessions",
  path: "/v1/sessions?status=playing&limit=20",
  name: "Public tables",
  none: "Nobody plays in public just now. Deal a game that is listed in the lobby, and others can watch.",
  tells: (session) => [`${session.placed} placed`, session.seats > session.players.length ? freeSeats(session) : "to watch"],
};

/** @type {Listing} */
const RACES = {
  kind: "races",
  path: "/v1/races?limit=20",
  name: "Open races",
  none: "There is none that is listed. Open one above.",
  tells: (race) => [freeSeats(race)],
};

/**
 * @typedef {import("./api.js").Game} Game
 *
 * @param {{ games: Game[], go: (path: string) => void }} props
 */
export function Lobby({ games, go }) {
  const [game, choose] = useChoice(games);
  useEffect(() => {
    document.title = "Patience";
  }, []);
  return html`<main tabindex="-1" class="lobby">
    <header><h1>Patience</h1><p>Solitaire games that several people can play and watch at once.</p></header>
    <${Own} games=${games} />
    <section aria-labelledby="games"><h2 id="games">Games</h2>
      <div class="games" role="radiogroup" aria-labelledby="games">
        ${games.map((each) => html`<label key=${each.id} class="game">
          <input type="radio" name="game" value=${each.id} checked=${each === game} onChange=${() => choose(each)} />
          <${Miniature} game=${each} />
          <span class="name">${each.name}</span><span class="summary">${each.summary}</span>
        </label>`)}
      </div>
    </section>
    ${game && html`<${Opening} key=${game.id} game=${game} go=${go} />`}
    <${Listed} games=${games} of=${TABLES} />
    <${Listed} games=${games} of=${RACES} />
    <footer><a href="/docs">The API, for those who write a client</a></footer>
  </main>`;
}

/**
 * The game that is chosen, which the page's address keeps.
 *
 * @param {Game[]} games
 * @returns {[Game | undefined, (game: Game) => void]}
 */
function useChoice(games) {
  const [, redraw] = useState(0);
  const choose = (/** @type {Game} */ game) => {
    window.history.replaceState(null, "", `#game=${game.id}`);
    redraw((count) => count + 1);
  };
  return [games.find(({ id }) => id === inAddress("game")) ?? games[0], choose];
}

/** The seats that this browser has. @param {{ games: Game[] }} props */
function Own({ games }) {
  const [own, setOwn] = useState(() => seats());
  useEffect(() => onSeatsChanged(() => setOwn(seats())), []);
  if (own.length === 0) return null;
  const rows = own.slice(0, OWN).map((seat) => html`<${OwnSeat} key=${seat.id} seat=${seat}
    name=${nameOf(games, seat.game)} drop=${() => forget(seat.id)} />`);
  const older = rows.slice(SHOWN);
  return html`<section aria-labelledby="own"><h2 id="own">Your tables</h2>
    <ul class="list">${rows.slice(0, SHOWN)}</ul>
    ${older.length > 0 && html`<details><summary>${counted(older.length, "older one")}</summary><ul class="list">${older}</ul></details>`}
  </section>`;
}

/** @param {{ seat: import("./seats.js").Seat, name: string, drop: () => void }} props */
function OwnSeat({ seat, name, drop }) {
  const taken = new Date(seat.at);
  return html`<li><a href=${`/${seat.kind}s/${seat.id}`}>${seat.kind === "race" ? "Race: " : ""}${name}</a>
    <time datetime=${taken.toISOString()}>${taken.toLocaleString()}</time>
    <button type="button" class="quiet" aria-label=${`Forget ${name} of ${taken.toLocaleString()}`} onClick=${drop}>Forget</button></li>`;
}

/** What is open to all. @param {{ games: Game[], of: Listing }} props */
function Listed({ games, of: { kind, path, name, none, tells } }) {
  const { items, problem } = useList(path);
  return html`<section aria-labelledby=${kind}><h2 id=${kind}>${name}</h2>
    ${problem && html`<p role="alert">${problem}</p>`}
    ${items.length === 0 && !problem && html`<p>${none}</p>`}
    <ul class="list">${items.map((item) => html`<li key=${item.id}>
      <a href=${`/${kind}/${item.id}`}>${nameOf(games, item.game)}</a>
      <span>${item.players.map((/** @type {{ name: string }} */ player) => player.name).join(", ")}</span>
      ${tells(item).map((told) => html`<span>${told}</span>`)}</li>`)}</ul>
  </section>`;
}

/** @param {{ seats: number, players: unknown[] }} item */
function freeSeats({ seats, players }) {
  return counted(seats - players.length, "free seat");
}

/** @param {Game[]} games @param {string} id */
function nameOf(games, id) {
  return games.find((game) => game.id === id)?.name ?? id;
}

/** A list of the lobby, asked for again while it is looked at. @param {string} path */
function useList(path) {
  const [list, setList] = useState({ items: /** @type {any[]} */ ([]), problem: "" });
  useEffect(() => {
    const load = async () => {
      if (document.hidden) return;
      try {
        setList({ items: (await get(path)).items, problem: "" });
      } catch (error) {
        setList((before) => ({ ...before, problem: inWords(error) }));
      }
    };
    void load();
    const timer = setInterval(load, AGAIN);
    return () => clearInterval(timer);
  }, [path]);
  return list;
}
