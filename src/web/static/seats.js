/**
 * What this browser remembers: the seats that it has, with their tokens, and the player's name. Tokens go nowhere but
 * into the header of requests.
 *
 * @typedef {object} Seat
 * @property {"session" | "race"} kind of what it is a seat
 * @property {string} id of the session or race
 * @property {string} token what proves that it is this player who asks
 * @property {number} seat its number
 * @property {string} game the id of the game
 * @property {number} at when it was taken, in milliseconds since 1970
 * @property {string} [invite] what lets others join, where that is needed
 * @property {string} [race] the race that a session belongs to
 */

const SEATS = "patience.seats";
const NAME = "patience.name";
const LETTERS = "patience.letters";

/** How many seats are remembered; the oldest are forgotten first. */
const MOST = 200;

/** What a browser that keeps nothing is told, until the page is closed. @type {Map<string, string>} */
const unkept = new Map();

/** @param {string} key */
function read(key) {
  try {
    return unkept.get(key) ?? localStorage.getItem(key);
  } catch {
    return null;
  }
}

/** @param {string} key @param {string} value */
function write(key, value) {
  try {
    localStorage.setItem(key, value);
    unkept.delete(key);
  } catch {
    unkept.set(key, value);
  }
}

/** Whether seats are lost when the page is closed. */
export function keepsNothing() {
  return unkept.size > 0;
}

/** @returns {Seat[]} newest first */
export function seats() {
  try {
    const found = JSON.parse(read(SEATS) ?? "[]");
    return Array.isArray(found) ? found.filter(isSeat) : [];
  } catch {
    return [];
  }
}

/** Whether what was kept is a seat: something else may have been left there. @param {any} kept */
function isSeat(kept) {
  const texts = [kept?.id, kept?.token, kept?.game];
  const isNamed = texts.every((text) => typeof text === "string") && ["session", "race"].includes(kept.kind);
  return isNamed && Number.isInteger(kept.seat) && !Number.isNaN(new Date(kept.at).getTime());
}

/** @param {string} id @returns {Seat | undefined} */
export function seatAt(id) {
  return seats().find((seat) => seat.id === id);
}

/** @param {Seat} seat */
export function remember(seat) {
  keep([seat, ...seats().filter((other) => other.id !== seat.id)].slice(0, MOST));
}

/**
 * Remembers a seat that was taken, and the invite with which others can take one.
 *
 * @param {"session" | "race"} kind
 * @param {string} id
 * @param {{ token: string, seat: number, invite?: string | undefined }} told
 * @param {string} game
 * @returns {Seat}
 */
export function keepSeat(kind, id, { token, seat, invite }, game) {
  const taken = { kind, id, token, seat, game, at: Date.now(), ...(invite ? { invite } : {}) };
  remember(taken);
  return taken;
}

/** @param {string} id */
export function forget(id) {
  keep(seats().filter((seat) => seat.id !== id));
}

/** @param {Seat[]} all */
function keep(all) {
  write(SEATS, JSON.stringify(all));
  dispatchEvent(new Event(SEATS));
}

/**
 * Calls whenever a seat was taken or forgotten, here or in another tab.
 *
 * @param {() => void} callback
 * @returns {() => void} what ends that
 */
export function onSeatsChanged(callback) {
  // There is no key when all is forgotten.
  const heard = (/** @type {StorageEvent} */ { key }) => [SEATS, null].includes(key) && callback();
  addEventListener("storage", heard);
  addEventListener(SEATS, callback);
  return () => {
    removeEventListener("storage", heard);
    removeEventListener(SEATS, callback);
  };
}

/** @returns {string} the player's name; empty if he has none */
export function playerName() {
  return read(NAME) ?? "";
}

/** A name as a part of a wish, if it is one. @param {string} name */
export function named(name) {
  const trimmed = name.trim();
  return trimmed ? { name: trimmed } : {};
}

/** @param {string} name */
export function rememberName(name) {
  write(NAME, name);
}

/** Whether letters are keys that do something. Who speaks to his computer, or types by accident, may switch them off. */
export function lettersAreKeys() {
  return read(LETTERS) !== "off";
}

/** @param {boolean} areKeys */
export function switchLetters(areKeys) {
  write(LETTERS, areKeys ? "on" : "off");
}
