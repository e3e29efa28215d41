/** A race as this page knows it, from its live stream. */
import { follow } from "./stream.js";
import { useEffect, useState } from "./html.js";

/**
 * @param {string} id
 * @param {string | undefined} token
 * @returns {{ race: import("./api.js").Race | undefined, connection: import("./stream.js").Connection, ended: string }}
 */
export function useRace(id, token) {
  const [race, setRace] = useState(/** @type {import("./api.js").Race | undefined} */ (undefined));
  const [[connection, ended], setConnection] = useState(
    /** @type {[import("./stream.js").Connection, string]} */ (["connecting", ""]),
  );
  useEffect(
    () =>
      follow(`/v1/races/${id}`, token, {
        event: (name, told) => {
          // Standings are no part of what changes: those that are known stay until others come.
          if (name === "snapshot" || name === "change") {
            setRace((before) => ({ ...told.race, standings: told.race.standings ?? before?.standings ?? [] }));
          }
          if (name === "standings") setRace((before) => before && { ...before, standings: told.standings });
        },
        connection: (now, why) => setConnection([now, why ?? ""]),
      }),
    [id, token],
  );
  return { race, connection, ended };
}
