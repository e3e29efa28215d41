/** Preact and its hooks, and `html`, which makes its elements from templates. */
import { h } from "./vendor/preact.js";
import htm from "./vendor/htm.js";

export { createContext, render } from "./vendor/preact.js";
export { useCallback, useContext, useEffect, useLayoutEffect, useMemo, useRef, useState } from "./vendor/hooks.js";

export const html = htm.bind(h);
