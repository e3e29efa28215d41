/** What buttons ask the server for. */
import { useEffect, useRef } from "./html.js";

/**
 * @callback Asking
 * @param {() => Promise<any>} ask
 * @param {(told: any) => void} done
 * @param {(error: unknown) => void} failed
 * @returns {Promise<void>} ends when it is known what has become of it
 */

/**
 * A way to ask for one thing at a time: a second click asks for nothing. Who has gone elsewhere meanwhile stays there.
 *
 * @returns {Asking}
 */
export function useAsking() {
  const isBusy = useRef(false);
  const isHere = useRef(true);
  useEffect(
    () => () => {
      isHere.current = false;
    },
    [],
  );
  return async (ask, done, failed) => {
    if (isBusy.current) return;
    isBusy.current = true;
    const ifHere = (/** @type {(said: any) => void} */ act) => (/** @type {any} */ said) => {
      isBusy.current = false;
      if (isHere.current) act(said);
    };
    await ask().then(ifHere(done), ifHere(failed));
  };
}
