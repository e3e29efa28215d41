/** A seat for somebody who watches, or who was invited. */
import { change, inWords } from "./api.js";
import { html, useState } from "./html.js";
import { keepSeat, named, playerName, rememberName } from "./seats.js";

/**
 * @typedef {(seat: import("./seats.js").Seat) => void} Joined
 *
 * @param {{ session: import("./api.js").Session, id: string, joined: Joined }} props
 */
export function Joining({ session, id, joined }) {
  const free = session.seats - session.players.length;
  if (session.finished_at || free <= 0) return html`<p class="banner">You are watching.</p>`;
  const seats = free === 1 ? "One seat is" : `${free} seats are`;
  return html`<${JoinTable} id=${id} joined=${joined} says=${`You are watching. ${seats} free.`} />`;
}

/** A private table, seen from outside with its invite. @param {{ id: string, joined: Joined }} props */
export function Invited({ id, joined }) {
  return html`<${JoinTable} id=${id} joined=${joined} says="You are invited to a private table." />`;
}

/** @param {{ id: string, joined: Joined, says: string }} props */
function JoinTable({ id, joined, says }) {
  const [problem, setProblem] = useState("");
  const join = async (/** @type {string} */ name) => {
    try {
      const told = await takeSeat(`/v1/sessions/${id}/players`, name);
      joined(keepSeat("session", id, { ...told, invite: inviteHere() }, told.session.game));
    } catch (error) {
      setProblem(inWords(error));
    }
  };
  return html`<${JoinForm} says=${says} does="Take a seat" problem=${problem} join=${join} />`;
}

/** @param {{ says?: string, does: string, problem?: string, join: (name: string) => Promise<void> }} props */
export function JoinForm({ says, does, problem, join }) {
  const [name, setName] = useState(playerName());
  const [isBusy, setBusy] = useState(false);
  const submit = async (/** @type {SubmitEvent} */ event) => {
    event.preventDefault();
    if (isBusy) return;
    setBusy(true);
    await join(name);
    setBusy(false);
  };
  return html`<form class="banner joining" onSubmit=${submit}>
    ${says && html`<span>${says}</span>`}
    <label>Your name <input value=${name} maxlength="32" onInput=${(/** @type {any} */ event) => setName(event.target.value)} /></label>
    <button type="submit" aria-disabled=${isBusy}>${does}</button>
    ${problem && html`<span role="alert">${problem}</span>`}
  </form>`;
}

/**
 * Takes a seat, under a name if there is one and with the invite that the page's address has.
 *
 * @param {string} path
 * @param {string} name
 */
export function takeSeat(path, name) {
  rememberName(name.trim());
  const invite = inviteHere();
  const body = { ...named(name), ...(invite ? { invite } : {}) };
  return change("POST", path, { body });
}

/** What the part of the address that no server gets says of something. @param {string} name */
export function inAddress(name) {
  return new URLSearchParams(location.hash.slice(1)).get(name) ?? undefined;
}

/** The invite in the page's address. */
export function inviteHere() {
  return inAddress("invite");
}

/**
 * Opens a table or a race, and remembers the seat in it.
 *
 * @param {"session" | "race"} kind
 * @param {object} body what is wished for
 * @returns {Promise<string>} where it is, on this page
 */
export async function openNew(kind, body) {
  const told = await change("POST", `/v1/${kind}s`, { body });
  const { id, game } = told[kind];
  keepSeat(kind, id, told, game);
  return `/${kind}s/${id}`;
}

/**
 * The address of a table or race, for friends.
 *
 * @param {string} path
 * @param {string | undefined} invite what lets them join, where that is needed
 */
export function linkTo(path, invite) {
  return `${location.origin}${path}${invite ? `#invite=${invite}` : ""}`;
}

/** A button that copies a link. @param {{ link: string, name: string }} props */
export function CopyLink({ link, name }) {
  const [done, setDone] = useState("");
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(link);
      setDone(link.includes("#invite=") ? "The link is copied. It lets in whoever has it." : "The link is copied.");
      setTimeout(() => setDone(""), 4_000);
    } catch {
      // Without a secure connection a page may not write to the clipboard.
      setDone(link);
    }
  };
  return html`<p class="share"><button type="button" onClick=${copy}>${name}</button> <span role="status">${done}</span></p>`;
}
