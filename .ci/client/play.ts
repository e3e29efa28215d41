// Plays a short game of Captive Queens with the client that is generated from the contract, sits down at a
// table with somebody else, and races. What it leaves unsaid about types, the compiler finds in `openapi.yaml`.

import assert from "node:assert/strict";
import createClient from "openapi-fetch";
import type { components, paths } from "./contract.js";

type Session = components["schemas"]["Session"];
type Move = components["schemas"]["Move"];
type Reason = components["schemas"]["Reason"];
type Entry = components["schemas"]["Entry"];

const baseUrl = process.argv[2];
assert(baseUrl, "usage: play.js <base URL>");
const api = createClient<paths>({ baseUrl });

/** What was answered, if all went well. */
function answered<T, E>({ data, error, response }: { data?: T; error?: E; response: Response }): T {
  assert(data !== undefined, `${response.url}: ${response.status} ${JSON.stringify(error)}`);
  return data;
}

const { items: games } = answered(await api.GET("/v1/games"));
const game = games.find(({ id }) => id === "captive-queens");
assert(game);
for (const [name, option] of Object.entries(game.options)) {
  const choice = option.type === "choice" ? option.values.map(({ value }) => value) : [option.minimum, option.maximum];
  console.log(`${game.name} has ${name}: ${choice.join(", ")}`);
}

// @ts-expect-error The compiler knows that there is no such game.
const unknown = await api.POST("/v1/sessions", { body: { game: "klondike" } });
assert(unknown.error?.code === "invalid_request" && unknown.error.field === "game");

// The request is sent twice, as by a client that has not heard the answer to the first.
const wish = {
  body: { game: "captive-queens", seed: "openapi", name: "Ada", options: { start: "queens", redeals: 1 } },
  params: { header: { "Idempotency-Key": crypto.randomUUID() } },
} as const;
const opening = answered(await api.POST("/v1/sessions", wish));
assert.deepEqual(answered(await api.POST("/v1/sessions", wish)), opening);

const { id } = opening.session;
const path = { id };
const headers = { authorization: `Bearer ${opening.token}` };

async function play(move: Move): Promise<Session> {
  return answered(await api.POST("/v1/sessions/{id}/moves", { params: { path }, headers, body: move }));
}

/** Draws and plays what can be played, until so many cards are placed. */
async function playOn(session: Session, placed: number): Promise<Session> {
  const move = session.legal_moves.at(-1);
  return session.placed >= placed || move === undefined ? session : playOn(await play(move), placed);
}

const played = await playOn(opening.session, 10);
assert.equal(played.status, "playing");
assert(played.placed >= 10 && played.version === 1 + played.moves);

// A refused move says which rule it breaks.
const refused = await api.POST("/v1/sessions/{id}/moves", {
  params: { path },
  headers,
  body: { type: "move", from: "stock", to: "foundation-1" },
});
assert(refused.error?.code === "illegal_move");
const reason: Reason = refused.error.reason;
assert.equal(reason, "not_available");
assert.equal(refused.error.version, played.version);

// Whoever was slower is told so.
const late = await api.POST("/v1/sessions/{id}/undo", { params: { path, header: { "If-Match": '"1"' } }, headers });
assert(late.error?.code === "stale_version" && late.error.version === played.version);

const undone = answered(await api.POST("/v1/sessions/{id}/undo", { params: { path }, headers }));
assert(undone.can_redo && undone.moves === played.moves - 1);
const redone = answered(await api.POST("/v1/sessions/{id}/redo", { params: { path }, headers }));
assert.deepEqual(redone.piles, played.piles);

const early = answered(await api.GET("/v1/sessions/{id}", { params: { path, query: { version: 1 } } }));
assert.deepEqual(early, opening.session);
const known = { "If-None-Match": `"${redone.version}"` };
assert.equal((await api.GET("/v1/sessions/{id}", { params: { path, header: known } })).response.status, 304);

const history = answered(await api.GET("/v1/sessions/{id}/history", { params: { path, query: { limit: 1000 } } }));
assert.equal(history.items.length, redone.version);
assert.deepEqual(history.items.slice(-2).map(({ type }) => type), ["undone", "redone"]);

const resigned = answered(await api.POST("/v1/sessions/{id}/resign", { params: { path }, headers }));
assert(resigned.status === "resigned" && resigned.deal.seed === "openapi");
assert.deepEqual(resigned.legal_moves, []);

assert.equal((await api.DELETE("/v1/sessions/{id}", { params: { path }, headers })).response.status, 204);
const gone = await api.GET("/v1/sessions/{id}", { params: { path } });
assert.equal(gone.error?.code, "no_such_session");
console.log(`${played.moves} moves, ${played.placed} cards placed, undone, redone, resigned and removed`);

// Captive Queens plays itself to its end, in one entry.
const idle = answered(await api.POST("/v1/sessions", { body: { game: "captive-queens", autoplay: true } }));
const asPlayer = { authorization: `Bearer ${idle.token}` };
const idlePath = { id: idle.session.id };
const ended = answered(
  await api.POST("/v1/sessions/{id}/autoplay", { params: { path: idlePath }, headers: asPlayer, body: { draws: true } }),
);
assert(["won", "lost"].includes(ended.status) && ended.version === 2 && ended.moves > 52);
const again = await api.POST("/v1/sessions/{id}/autoplay", { params: { path: idlePath }, headers: asPlayer });
assert.equal(again.error?.code, "session_over");

// Somebody finds a table in the lobby, takes a seat there and leaves.
const table = answered(await api.POST("/v1/sessions", { body: { game: "napoleons-square", seats: 2, visibility: "public" } }));
const lobby = answered(await api.GET("/v1/sessions", { params: { query: { status: "playing", free_seats: 1 } } }));
assert(lobby.items.some(({ id }) => id === table.session.id));
const at = { id: table.session.id };
const guest = answered(await api.POST("/v1/sessions/{id}/players", { params: { path: at }, body: { name: "Grace" } }));
assert.deepEqual(guest.session.players.map(({ name, host }) => [name, host]), [["Player 1", true], ["Grace", false]]);
const full = await api.POST("/v1/sessions/{id}/players", { params: { path: at } });
assert.equal(full.error?.code, "session_full");
assert.deepEqual(answered(await api.GET("/v1/sessions/{id}/presence", { params: { path: at } })), { online: [], watchers: 0 });
const seat = { path: { ...at, seat: guest.seat } };
const asGuest = { authorization: `Bearer ${guest.token}` };
const left = await api.DELETE("/v1/sessions/{id}/players/{seat}", { params: seat, headers: asGuest });
assert.equal(left.response.status, 204);
const { items: entries } = answered(await api.GET("/v1/sessions/{id}/history", { params: { path: at } }));
const told = (entry: Entry) => (entry.type === "joined" ? `${entry.name} joined` : entry.type);
assert.deepEqual(entries.map(told), ["created", "Grace joined", "left"]);

// Two race; one resigns, the other leaves, and the race is over.
const race = answered(await api.POST("/v1/races", { body: { game: "captive-queens", seats: 2, name: "Ada" } }));
const racePath = { id: race.race.id };
const rival = answered(await api.POST("/v1/races/{id}/players", { params: { path: racePath }, body: { name: "Grace" } }));
const asHost = { authorization: `Bearer ${race.token}` };
const running = answered(await api.POST("/v1/races/{id}/start", { params: { path: racePath }, headers: asHost }));
assert(running.status === "running" && running.standings.length === 2);
const own = running.standings.find(({ seat }) => seat === race.seat);
assert(own);
const ownPath = { id: own.session };
assert.equal((await api.GET("/v1/sessions/{id}", { params: { path: ownPath } })).response.status, 404);
answered(await api.POST("/v1/sessions/{id}/resign", { params: { path: ownPath }, headers: asHost }));
const rivalSeat = { path: { ...racePath, seat: rival.seat } };
const asRival = { authorization: `Bearer ${rival.token}` };
await api.DELETE("/v1/races/{id}/players/{seat}", { params: rivalSeat, headers: asRival });
const over = answered(await api.GET("/v1/races/{id}", { params: { path: racePath } }));
assert(over.status === "over" && over.deal.seed !== null);
assert.deepEqual(over.standings.map(({ status }) => status), ["resigned", "resigned"]);
console.log(`a seat taken and left, and a race of ${over.standings.length} run`);
