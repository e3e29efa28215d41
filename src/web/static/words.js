/** What things are called. */

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
function capital(text) {
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
 * What a move does, from a table as it was before to one as it was after it, as far as they are known.
 *
 * @param {import("./api.js").Move} move
 * @param {import("./api.js").Session} [before]
 * @param {import("./api.js").Session} [after]
 */
export function moveInWords(move, before, after) {
  if (move.type === "draw") {
    const drawn = after?.piles.find(({ kind }) => kind === "waste")?.cards.at(-1);
    return `draws ${drawn ? cardName(drawn) : "a card"}`;
  }
  if (move.type === "redeal") return "turns the waste over";
  const source = before?.piles.find((pile) => pile.id === move.from);
  const card = source?.cards[source.cards.length - move.count];
  const what = move.count > 1 ? `${move.count} cards` : card ? cardName(card) : "a card";
  return `moves ${what} from ${pileName(move.from)} to ${pileName(move.to)}`;
}

/**
 * @param {Record<string, string>} names
 * @param {string | undefined} letter
 */
function at(names, letter) {
  return names[letter ?? ""] ?? "?";
}
