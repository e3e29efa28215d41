/** What is chosen of a game, and a table or race of it. */
import { inWords } from "./api.js";
import { useAsking } from "./asking.js";
import { html, useEffect, useRef, useState } from "./html.js";
import { openNew } from "./joining.js";
import { Prose } from "./prose.js";
import { named, playerName, rememberName } from "./seats.js";
import { title } from "./words.js";

/** @type {[string, string][]} */
const DEALS = [
  ["any", "Any"],
  ["winnable", "One that can be won"],
  ["seed", "From a seed"],
  ["pysolfc", "A PySolFC deal"],
];

/** @type {[string, string][]} */
const VISIBILITIES = [
  ["unlisted", "Whoever has the link can watch"],
  ["public", "Listed in the lobby"],
  ["private", "For its players only"],
];

/**
 * What somebody wishes for.
 *
 * @typedef {object} Wish
 * @property {Record<string, Said>} options of the game
 * @property {string} deal one of `DEALS`
 * @property {string} seed or the number of the deal, if it comes from one
 * @property {string} name the player's
 * @property {Said} seats at the table
 * @property {string} visibility one of `VISIBILITIES`
 * @property {boolean} undo whether moves can be taken back
 * @property {boolean} autoplay whether what can go up goes up by itself
 * @property {Said} racers how many take part in a race
 * @property {Said} minutes how long it may take
 *
 * @typedef {string | number | boolean} Said what a field can say
 * @typedef {"session" | "race"} Kind of what can be opened
 *
 * @typedef {import("./api.js").Game} Game
 * @typedef {(part: keyof Wish) => (event: Event) => void} Put makes a part of the wish what a field says from now on
 * @typedef {{ wish: Wish, put: Put }} Fields
 */

/** @param {{ game: Game, go: (path: string) => void }} props */
export function Opening({ game, go }) {
  const [wish, setWish] = useState(() => usualWish(game));
  const [says, open] = useOpening(wish, go);
  const form = useRef(/** @type {HTMLFormElement | null} */ (null));
  const set = (/** @type {Partial<Wish>} */ news) => setWish((before) => ({ ...before, ...news }));
  /** @type {Put} */
  const put = (part) => (event) => set({ [part]: said(event) });
  const play = (/** @type {SubmitEvent} */ event) => {
    event.preventDefault();
    void open("session", tableOf(game, wish));
  };
  const race = (/** @type {SubmitEvent} */ event) => {
    event.preventDefault();
    // The options of the game stand in the other form.
    if (form.current?.reportValidity()) void open("race", raceOf(game, wish));
  };
  return html`<section class="opening" aria-labelledby="opening"><h2 id="opening">${game.name}</h2>
    <${Rules} game=${game} />
    <form class="deal" ref=${form} onSubmit=${play}>
      ${Object.entries(game.options).map(([name, option]) => html`<${OptionField} key=${name} name=${name} option=${option}
        value=${wish.options[name]} put=${(/** @type {Event} */ event) => set({ options: { ...wish.options, [name]: said(event) } })} />`)}
      <${DealFields} wish=${wish} put=${put} />
      <${TableFields} wish=${wish} put=${put} />
      <p class="submit"><button type="submit" class="main">Deal</button> <span role="status">${says.session}</span></p>
    </form>
    <form onSubmit=${race}><${RaceFields} wish=${wish} put=${put} says=${says.race} /></form>
  </section>`;
}

/**
 * A way to open what is wished for, one thing at a time, and what is said of each kind meanwhile.
 *
 * @param {Wish} wish
 * @param {(path: string) => void} go
 * @returns {[Partial<Record<Kind, string>>, (kind: Kind, body: object) => Promise<void>]}
 */
function useOpening({ name, deal }, go) {
  const [says, setSays] = useState(/** @type {Partial<Record<Kind, string>>} */ ({}));
  const asking = useAsking();
  const open = (/** @type {Kind} */ kind, /** @type {object} */ body) => {
    rememberName(name.trim());
    const ask = () => {
      setSays({ [kind]: deal === "winnable" ? "Looking for a deal that can be won …" : "Dealing …" });
      return openNew(kind, body);
    };
    return asking(ask, go, (error) => setSays({ [kind]: inWords(error) }));
  };
  return [says, open];
}

/** @param {Game} game @returns {Wish} what is offered at first */
function usualWish(game) {
  const options = Object.fromEntries(Object.entries(game.options).map(([name, option]) => [name, option.default]));
  const table = { name: playerName(), seats: 1, visibility: "unlisted", undo: true, autoplay: false };
  return { options, deal: "any", seed: "", ...table, racers: 2, minutes: 30 };
}

/** @param {Game} game @param {Wish} wish */
function common({ id: game }, { options, visibility, name, deal }) {
  return { game, options, visibility, ...named(name), ...(deal === "winnable" ? { winnable: true } : {}) };
}

/** A table as the API is asked for it. @param {Game} game @param {Wish} wish */
function tableOf(game, wish) {
  const { seats, undo, autoplay, deal, seed } = wish;
  return { ...common(game, wish), seats, undo, autoplay, ...(isGiven(deal) && seed ? { [deal]: seed } : {}) };
}

/** A race as the API is asked for it. @param {Game} game @param {Wish} wish */
function raceOf(game, wish) {
  return { ...common(game, wish), seats: wish.racers, limit_s: 60 * Number(wish.minutes) };
}

/** Whether a deal is named by whoever opens the table. @param {string} deal */
function isGiven(deal) {
  return ["seed", "pysolfc"].includes(deal);
}

/** What a field says, as what it is; an empty one says nothing. @param {Event} event @returns {Said} */
function said({ target }) {
  const field = /** @type {HTMLInputElement} */ (target);
  if (field.type === "checkbox") return field.checked;
  return field.type === "number" && field.value !== "" ? Number(field.value) : field.value;
}

/** @param {{ game: Game }} props */
function Rules({ game }) {
  return html`<details class="rules"><summary>How it is played</summary>
    <${Prose} game=${game} />
    ${game.also_known_as.length > 0 && html`<p>Also known as ${game.also_known_as.join(", ")}.</p>`}
  </details>`;
}

/** @param {{ name: string, option: Game["options"][string], value: Said | undefined, put: (event: Event) => void }} props */
function OptionField({ name, option, value, put }) {
  if (option.type === "integer") {
    return html`<fieldset><legend>${title(name)}</legend>
      <label>${option.description} <input type="number" min=${option.minimum} max=${option.maximum} required
        value=${value} onInput=${put} /></label></fieldset>`;
  }
  return html`<fieldset><legend>${title(name)}</legend><p>${option.description}</p>
    ${option.values.map((choice) => html`<label><input type="radio" name=${`option-${name}`} value=${choice.value}
      checked=${choice.value === value} onChange=${put} /> <b>${title(choice.value)}</b> ${choice.description}</label>`)}</fieldset>`;
}

/** @param {Fields} props */
function DealFields({ wish: { deal, seed }, put }) {
  const says = deal === "seed" ? "The seed, the same deal for everyone" : "The number of the deal in PySolFC";
  const field = useRef(/** @type {HTMLInputElement | null} */ (null));
  // The field comes where it may lie below what is seen.
  useEffect(() => field.current?.scrollIntoView({ block: "nearest" }), [deal]);
  return html`<fieldset><legend>Deal</legend>
    ${DEALS.map(([value, label]) => html`<label>
      <input type="radio" name="deal" value=${value} checked=${deal === value} onChange=${put("deal")} /> ${label}</label>`)}
    ${isGiven(deal) && html`<label>${says}
      <input ref=${field} required maxlength="64" pattern=${deal === "pysolfc" ? "0|[1-9][0-9]*" : undefined}
        value=${seed} onInput=${put("seed")} /></label>`}
  </fieldset>`;
}

/** @param {Fields} props */
function TableFields({ wish, put }) {
  return html`<fieldset><legend>Table</legend>
    <label>Your name <input maxlength="32" autocomplete="nickname" placeholder="Player 1"
      value=${wish.name} onInput=${put("name")} /></label>
    <label>Seats <input type="number" required min="1" max="8" value=${wish.seats} onInput=${put("seats")} /></label>
    <label>Who may see it <select value=${wish.visibility} onChange=${put("visibility")}>
      ${VISIBILITIES.map(([value, label]) => html`<option value=${value}>${label}</option>`)}</select></label>
    <label><input type="checkbox" checked=${wish.undo} onChange=${put("undo")} /> Moves can be taken back</label>
    <label><input type="checkbox" checked=${wish.autoplay} onChange=${put("autoplay")} /> What can go up goes up by itself</label>
  </fieldset>`;
}

/** @param {Fields & { says: string | undefined }} props */
function RaceFields({ wish: { racers, minutes, deal }, put, says }) {
  const needsOther = isGiven(deal) ? "Nobody may know the deal of a race: choose another one above." : "";
  return html`<fieldset class="race"><legend>Or a race: everybody plays the same deal, and the first home wins</legend>
    <label>Players <input type="number" required min="2" max="64" value=${racers} onInput=${put("racers")} /></label>
    <label>Minutes <input type="number" required min="1" max="1440" value=${minutes} onInput=${put("minutes")} /></label>
    <button type="submit" disabled=${isGiven(deal)}>Open a race</button>
    <span role="status">${needsOther || says}</span>
  </fieldset>`;
}
