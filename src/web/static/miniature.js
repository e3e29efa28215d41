/** A game's layout, small: where its piles are, and how they are spread. */
import { html } from "./html.js";
import { CARD, ROW, extent, spots } from "./layout.js";

/** How many cards a pile shows that is spread. */
const SHOWN = 4;

/** @param {{ game: import("./api.js").Game }} props */
export function Miniature({ game }) {
  const { columns, rows } = extent(game);
  const card = (/** @type {import("./layout.js").Spot} */ spot, /** @type {string} */ kind) =>
    html`<rect class=${kind} x=${spot.x} y=${spot.y * ROW} width=${CARD} height=${CARD * ROW} rx="0.09" />`;
  return html`<svg class="miniature" viewBox=${`-0.1 -0.1 ${columns + 0.12} ${rows * ROW + 0.12}`} aria-hidden="true">
    ${game.piles.map((pile) => {
      const dealt = pile.place.spread === "none" ? 1 : SHOWN;
      return spots(pile, dealt).map((spot) => card(spot, pile.home ? "home" : pile.kind));
    })}
  </svg>`;
}
