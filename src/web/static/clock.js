/** The time. */
import { useEffect, useState } from "./html.js";

/**
 * What time it is, told anew each second while it is asked for, in milliseconds since 1970.
 *
 * @param {boolean} [isAsked]
 */
export function useNow(isAsked = true) {
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    if (!isAsked) return undefined;
    const timer = setInterval(() => setNow(Date.now()), 1_000);
    return () => clearInterval(timer);
  }, [isAsked]);
  return now;
}
