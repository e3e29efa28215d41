/** What things are called. */
import { Problem, inWords } from "./api.js";

const RANKS = {
  A: "ace",
  2: "2",
  3: "3",
  4: "4",
  5: "5",
  6: "6",
  7: "7",
  8: "8",
  9: "9",
  T: "10",
  J: "jack",
  Q: "queen",
  K: "king",
};

const SUITS = { C: "clubs", D: "diamonds", H: "hearts", S: "spades" };

/**
 * A card in words, with the number that stands on it, so that it can be called by what is seen; `face down` if nobody
 * knows it.
 *
 * @param {string | null} card
 */
export function cardName(card) {
  if (card === null) return "a card face down";
  return `${at(RANKS, card[0])} of ${at(SUITS, card[1])}`;
}

/**
 * A rank as it stands on a card.
 *
 * @param {string | undefined} rank
 */
export function rankSign(rank) {
  return rank === "T" ? "10" : (rank ?? "");
}

/** How many ranks a place shows that it waits for; where there are more, it says nothing. */
const WANTED = 3;

/**
 * The ranks that an empty place waits for, as they stand there.
 *
 * @param {string[]} ranks
 */
export function wantedSigns(ranks) {
  return ranks.length > WANTED ? "" : ranks.map(rankSign).join(" ");
}

/**
 * A pile's id as its name: `tableau-3` is `Tableau 3`.
 *
 * @param {string} id
 */
export function pileName(id) {
  return capital(id.replaceAll("-", " "));
}

/**
 * A name of the API as words: `left_to_right` is `Left to right`.
 *
 * @param {string} name
 */
export function title(name) {
  return capital(name.replaceAll("_", " "));
}

/** The options of a game in words. @param {Record<string, unknown>} options */
export function optionsInWords(options) {
  return Object.entries(options).map(([name, value]) => `${title(name)}: ${title(String(value))}`).join(" · ");
}

/** @param {string} text */
export function capital(text) {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/**
 * @param {number} count
 * @param {string} one
 * @param {string} [many]
 */
export function counted(count, one, many = `${one}s`) {
  return `${count} ${count === 1 ? one : many}`;
}

/**
 * A span of time as `1:02:03`.
 *
 * @param {number} milliseconds
 */
export function span(milliseconds) {
  const seconds = Math.max(0, Math.floor(milliseconds / 1_000));
  const two = (/** @type {number} */ number) => String(number).padStart(2, "0");
  const [hours, minutes] = [Math.floor(seconds / 3_600), Math.floor(seconds / 60) % 60];
  return hours > 0 ? `${hours}:${two(minutes)}:${two(seconds % 60)}` : `${minutes}:${two(seconds % 60)}`;
}

/**
 * What a move is, from a table as it was before to one as it was after it, as far as they are known: `draw a card`.
 *
 * @param {import("./api.js").Move} move
 * @param {import("./api.js").Session} [before]
 * @param {import("./api.js").Session} [after]
 */
export function moveInWords(move, before, after) {
  if (move.type === "draw") {
    const drawn = after?.piles.find(({ kind }) => kind === "waste")?.cards.at(-1);
    return `draw ${drawn ? cardName(drawn) : "a card"}`;
  }
  if (move.type === "redeal") return "turn the waste over";
  const source = before?.piles.find((pile) => pile.id === move.from);
  const card = source?.cards[source.cards.length - move.count];
  const what = move.count > 1 ? `${move.count} cards` : card ? cardName(card) : "a card";
  return `move ${what} from ${pileName(move.from)} to ${pileName(move.to)}`;
}

/** How many moves that were made at once are told one by one. */
const TOLD = 3;

/**
 * An entry of the history in words.
 *
 * @param {import("./api.js").Entry} entry
 * @param {object} known
 * @param {import("./api.js").Session["players"]} known.players who was at the table then
 * @param {number | undefined} [known.own] the seat of whoever is told
 * @param {import("./api.js").Session} [known.before] the session as it was before, if that is known
 * @param {import("./api.js").Session} [known.after] and as it was after it
 */
export function entryInWords(entry, { players, own, before, after }) {
  const moves = /** @type {import("./api.js").Move[]} */ (entry.moves);
  const name = entry.type === "joined" ? entry.name : players.find(({ seat }) => seat === entry.seat)?.name;
  const who = entry.seat !== null && entry.seat === own ? "You" : (name ?? named(entry.seat));
  switch (entry.type) {
    case "created":
      return "The cards are dealt.";
    case "joined":
      return `${who} ${who === "You" ? "have" : "has"} joined.`;
    case "left":
      return `${who} ${who === "You" ? "have" : "has"} left.`;
    case "moved":
      if (moves.length > TOLD) return `${does(who, "play")} on: ${told(moves)}.`;
      return `${does(who, ...each(moves, before, after))}.`;
    // What is taken back lay elsewhere before, so its card is not named.
    case "undone":
      return `${does(who, "take")} back: ${told(moves)}.`;
    case "redone":
      return `${does(who, "play")} again: ${told(moves, before, after)}.`;
    case "resigned":
      return `${does(who, "give")} up.`;
    case "revealed":
      return "The race is over.";
  }
}

/**
 * What the player himself has done, as far as it is known before the entry is.
 *
 * @param {string} what
 * @param {any} body
 * @param {import("./api.js").Session | undefined} before
 * @param {import("./api.js").Session} after
 */
export function didInWords(what, body, before, after) {
  const count = after.moves - (before?.moves ?? 0);
  // What goes up by itself after a card was drawn hides which one it was.
  if (what === "moves") return `You ${moveInWords(body, before, count === 1 ? after : undefined)}.`;
  /** @type {Record<string, string>} */
  const done = { undo: "You take a move back.", redo: "You play a move again.", resign: "You give up." };
  return done[what] ?? `You play on: ${counted(count, "move")}.`;
}

/**
 * Why a change was not made. Where the server's words are for those who write programs, they are put shortly.
 *
 * @param {unknown} error
 * @param {any} body what was asked for
 */
export function refusalInWords(error, body) {
  if (!(error instanceof Problem) || error.code !== "nothing_to_play") return inWords(error);
  return body?.draws ? "Nothing goes by itself now: the choice is yours." : "No card goes up by itself now.";
}

/** Who somebody is whose name is not known. @param {number | null} seat */
function named(seat) {
  return seat ? `Player ${seat}` : "The server";
}

/** @param {string} who @param {string[]} what he does, in words that begin with the verb, as in `you do` */
function does(who, ...what) {
  const said = who === "You" ? what : what.map((text) => text.replace(/^\w+/, "$&s"));
  return `${who} ${said.join(", ")}`;
}

/**
 * Moves that were made at once: each of them if they are few, else how many.
 *
 * @param {import("./api.js").Move[]} moves
 * @param {import("./api.js").Session} [before]
 * @param {import("./api.js").Session} [after]
 */
function told(moves, before, after) {
  return moves.length > TOLD ? counted(moves.length, "move") : each(moves, before, after).join(", ");
}

/**
 * Each of some moves. Of several, only the first card could be named by where it lay, so none is.
 *
 * @param {import("./api.js").Move[]} moves
 * @param {import("./api.js").Session} [before]
 * @param {import("./api.js").Session} [after]
 */
function each(moves, before, after) {
  return moves.map((move) => (moves.length === 1 ? moveInWords(move, before, after) : moveInWords(move)));
}

/**
 * @param {Record<string, string>} names
 * @param {string | undefined} letter
 */
function at(names, letter) {
  return names[letter ?? ""] ?? "?";
}
