/** The rules of a game in prose. */
import { html } from "./html.js";

/** @param {{ game: import("./api.js").Game }} props */
export function Prose({ game }) {
  return html`${game.rules.split("\n\n").map((paragraph) => html`<p>${paragraph}</p>`)}`;
}
