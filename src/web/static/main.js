/**
 * The built-in table: a client of the public API like any other, and an example for those who write one.
 *
 * `/` is the lobby, `/sessions/{id}` a table, `/races/{id}` a race. What games there are, how they look and what can be
 * done in them is asked of the server; no game is known here by name.
 */
import { get, inWords, sleep } from "./api.js";
import { html, render, useCallback, useEffect, useRef, useState } from "./html.js";
import { Lobby } from "./lobby.js";
import { RacePage } from "./race.js";
import { TablePage } from "./table.js";

/** How long to wait before the games are asked for again, in milliseconds. */
const AGAIN = 2_000;

function App() {
  const [path, go] = usePath();
  useFocusOnArrival(path);
  useHeldEnter();
  const [games, problem] = useGames();
  if (!games) return html`<main tabindex="-1" class="message"><p role="status">${problem || "Loading …"}</p></main>`;
  const [, room, id = ""] = path.split("/");
  if (room === "sessions") return html`<${TablePage} key=${id} id=${id} games=${games} go=${go} />`;
  if (room === "races") return html`<${RacePage} key=${id} id=${id} games=${games} go=${go} />`;
  return html`<${Lobby} games=${games} go=${go} />`;
}

/** Whoever goes elsewhere within the page begins there at its beginning. @param {string} path */
function useFocusOnArrival(path) {
  const first = useRef(path);
  useEffect(() => {
    if (path === first.current) return;
    first.current = path;
    document.querySelector("main")?.focus({ preventScroll: true });
  }, [path]);
}

/** A key that is held down presses a button once. */
function useHeldEnter() {
  useEffect(() => {
    const down = (/** @type {KeyboardEvent} */ event) => {
      if (event.repeat && event.key === "Enter" && event.target instanceof HTMLButtonElement) event.preventDefault();
    };
    document.addEventListener("keydown", down);
    return () => document.removeEventListener("keydown", down);
  }, []);
}

/**
 * Where the page is, and a way to go elsewhere. Links within it load nothing. All is drawn anew when the part of the
 * address changes that no server gets, as when an invite is pasted.
 *
 * @returns {[string, (path: string) => void]}
 */
function usePath() {
  const [address, setAddress] = useState(location.href);
  const go = useCallback((/** @type {string} */ to) => {
    window.history.pushState(null, "", to);
    setAddress(location.href);
    scrollTo(0, 0);
  }, []);
  useEffect(() => {
    const back = () => setAddress(location.href);
    const click = (/** @type {MouseEvent} */ event) => {
      const link = event.target instanceof Element ? event.target.closest("a") : null;
      const isPlain = event.button === 0 && !event.ctrlKey && !event.metaKey && !event.shiftKey && !event.altKey;
      if (!link || !isPlain || link.origin !== location.origin || link.pathname === "/docs") return;
      event.preventDefault();
      go(link.href);
    };
    addEventListener("popstate", back);
    document.addEventListener("click", click);
    return () => {
      removeEventListener("popstate", back);
      document.removeEventListener("click", click);
    };
  }, []);
  return [new URL(address).pathname, go];
}

/** @returns {[import("./api.js").Game[] | undefined, string]} the games, and what keeps them away */
function useGames() {
  const [games, setGames] = useState(/** @type {import("./api.js").Game[] | undefined} */ (undefined));
  const [problem, setProblem] = useState("");
  useEffect(() => {
    const load = async () => {
      for (;;) {
        try {
          return setGames((await get("/v1/games")).items);
        } catch (error) {
          setProblem(inWords(error));
          await sleep(AGAIN);
        }
      }
    };
    void load();
  }, []);
  return [games, problem];
}

const page = document.getElementById("page");
if (page) {
  page.textContent = "";
  render(html`<${App} />`, page);
}
