/** Cards as scalable graphics. Suits differ in shape and, besides, in colour. */
import { html } from "./html.js";
import { CARD } from "./layout.js";
import { rankSign, wantedSigns } from "./words.js";

/** How large a card is drawn, in its own units. */
const [WIDTH, HEIGHT] = [100, 140];

/** The shapes of the suits, each in a square of 100 by 100. */
const SHAPES = {
  C: "M50 6a22 22 0 0 0-18 35 22 22 0 1 0 14 34c0 8-3 14-9 19h26c-6-5-9-11-9-19a22 22 0 1 0 14-34A22 22 0 0 0 50 6z",
  D: "M50 4c9 17 20 31 35 46-15 15-26 29-35 46-9-17-20-31-35-46C30 35 41 21 50 4z",
  H: "M50 94C30 73 8 56 8 33 8 17 19 7 31 7c9 0 15 5 19 13 4-8 10-13 19-13 12 0 23 10 23 26 0 23-22 40-42 61z",
  S: "M50 5c9 16 41 32 41 57 0 18-22 25-36 11 0 9 3 16 9 21H36c6-5 9-12 9-21C31 87 9 80 9 62 9 37 41 21 50 5z",
};

/** The shapes, to be drawn wherever a card is. They are on the page once. */
export function Shapes() {
  return html`<svg class="shapes" aria-hidden="true" width="0" height="0">
    ${Object.entries(SHAPES).map(
      ([suit, path]) => html`<symbol id=${`suit-${suit}`} viewBox="0 0 100 100"><path d=${path} /></symbol>`,
    )}
    <pattern id="back" width="14" height="14" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">
      <rect class="back-ground" width="14" height="14" />
      <path class="back-line" d="M0 7h14M7 0v14" />
    </pattern>
  </svg>`;
}

/**
 * A card; its back if it lies face down.
 *
 * @param {{ face: string | null }} props
 */
export function CardFace({ face }) {
  if (face === null) {
    return html`<svg viewBox=${`0 0 ${WIDTH} ${HEIGHT}`} aria-hidden="true">
      <rect class="paper" x="1" y="1" width="98" height="138" rx="9" />
      <rect x="8" y="8" width="84" height="124" rx="5" fill="url(#back)" />
    </svg>`;
  }
  const [rank, suit] = [rankSign(face[0]), face[1]];
  return html`<svg class=${`suit-${suit}`} viewBox=${`0 0 ${WIDTH} ${HEIGHT}`} aria-hidden="true">
    <rect class="paper" x="1" y="1" width="98" height="138" rx="9" />
    <text class="rank" x="7" y="35" textLength=${rank.length > 1 ? 29 : undefined} lengthAdjust="spacingAndGlyphs">${rank}</text>
    <use href=${`#suit-${suit}`} x="7" y="42" width="22" height="22" />
    <use href=${`#suit-${suit}`} x="64" y="8" width="28" height="28" />
    <use href=${`#suit-${suit}`} x="32" y="68" width="58" height="58" />
  </svg>`;
}

/**
 * An empty place, with what it waits for.
 *
 * @param {{ ranks: string[], width: number }} props `width` in columns
 */
export function PlaceFace({ ranks, width }) {
  const across = WIDTH * (1 + (width - 1) / CARD);
  return html`<svg viewBox=${`0 0 ${across} ${HEIGHT}`} aria-hidden="true">
    <rect class="outline" x="2" y="2" width=${across - 4} height="136" rx="9" />
    <text class="wanted" x=${across / 2} y="84" text-anchor="middle">${wantedSigns(ranks)}</text>
  </svg>`;
}
