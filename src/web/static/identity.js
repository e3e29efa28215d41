/**
 * Which card is which, from one snapshot to the next. A snapshot says what lies where and nothing of what has moved;
 * to show a move, each card on the table is given a key that it keeps.
 *
 * Cards that lie where they lay keep their keys. The others are matched by their faces; and a card that nobody had
 * seen becomes one that is seen, or the other way round.
 *
 * @typedef {object} Laid
 * @property {string} key the same for as long as it is the same card
 * @property {number} order in which cards came to be known
 * @property {string | null} face what it is; null if it lies face down
 *
 * @typedef {Map<string, Laid[]>} Piles what lies on each pile, bottom first
 */

let made = 0;

/**
 * The cards of a snapshot.
 *
 * @param {Piles} before the cards as they lay before; none at first
 * @param {import("./api.js").Pile[]} piles
 * @returns {Piles}
 */
export function identify(before, piles) {
  /** @type {Laid[]} cards that do not lie where they lay, those on top last */
  const loose = [];
  /** @type {Map<string, (Laid | undefined)[]>} */
  const found = new Map();
  for (const pile of piles) {
    const faces = facesOf(pile);
    const old = before.get(pile.id) ?? [];
    const same = sameFromBelow(old, faces);
    loose.push(...old.slice(same));
    found.set(pile.id, [...old.slice(0, same), ...faces.slice(same).map(() => undefined)]);
  }
  // What can be recognised goes first, then what was turned up or down.
  for (const isTheSame of [sameFace, turnedUp, turnedDown]) {
    for (const pile of piles) fill(found.get(pile.id) ?? [], facesOf(pile), loose, isTheSame);
  }
  return new Map(piles.map((pile) => [pile.id, complete(found.get(pile.id) ?? [], facesOf(pile))]));
}

/** @param {import("./api.js").Pile} pile @returns {(string | null)[]} */
export function facesOf(pile) {
  return [...Array(pile.face_down).fill(null), ...pile.cards];
}

/** @param {Laid[]} old @param {(string | null)[]} faces */
function sameFromBelow(old, faces) {
  const differs = faces.findIndex((face, place) => old[place]?.face !== face);
  return differs < 0 ? faces.length : differs;
}

/**
 * @param {(Laid | undefined)[]} pile
 * @param {(string | null)[]} faces
 * @param {Laid[]} loose
 * @param {(old: string | null, face: string | null) => boolean} isTheSame
 */
function fill(pile, faces, loose, isTheSame) {
  faces.forEach((face, place) => {
    if (pile[place]) return;
    const which = loose.findLastIndex((card) => isTheSame(card.face, face));
    const [card] = which < 0 ? [] : loose.splice(which, 1);
    if (card) pile[place] = { ...card, face };
  });
}

/** @param {(Laid | undefined)[]} pile @param {(string | null)[]} faces @returns {Laid[]} */
function complete(pile, faces) {
  return faces.map((face, place) => pile[place] ?? newCard(face));
}

/** @param {string | null} face @returns {Laid} */
function newCard(face) {
  made += 1;
  return { key: `card-${made}`, order: made, face };
}

/** @param {string | null} old @param {string | null} face */
const sameFace = (old, face) => old === face;

/** @param {string | null} old @param {string | null} face */
const turnedUp = (old, face) => old === null && face !== null;

/** @param {string | null} old @param {string | null} face */
const turnedDown = (old, face) => old !== null && face === null;
