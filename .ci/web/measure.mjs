/**
 * Figures of the table: bytes over the wire and time to the first card on a cold load, and frames dropped while a card is
 * dragged on a slow processor. Settings as in `tests/support.mjs`.
 */
import { Server, launch, showsVersion, still } from "./tests/support.mjs";

const LOADS = 5;
const SLOWER = 4;
const DRAG = 2_000;

const server = await Server.start();
const browser = await launch();
try {
  const { id, seat } = await server.deal({ game: "napoleons-square", seed: "figures" });
  const loads = [];
  for (let load = 0; load < LOADS; load += 1) loads.push(await cold(id, seat));
  const { gaps, frames, frame } = await dragged(id, seat);
  const lost = gaps.reduce((sum, gap) => sum + Math.round(gap / frame) - 1, 0);
  console.log(`cold load: ${loads[0].bytes} bytes over the wire in ${loads[0].requests} requests`);
  console.log(`first card after ${median(loads.map(({ first }) => first))} ms, table loaded anew ${LOADS} times (median)`);
  console.log(`a drag of ${DRAG} ms, processor ${SLOWER} times slower: ${frames} frames of ${frame.toFixed(1)} ms, ${gaps.length} gaps, ${lost} frames dropped`);
} finally {
  await browser.close();
  await server.stop();
}

/** A page that has nothing in its cache. */
async function freshPage(seat) {
  const localStorage = [{ name: "patience.seats", value: JSON.stringify([seat]) }];
  const storageState = { cookies: [], origins: [{ origin: server.origin, localStorage }] };
  const context = await browser.newContext({ baseURL: server.origin, viewport: { width: 1280, height: 900 }, storageState });
  const page = await context.newPage();
  return { page, wire: await context.newCDPSession(page) };
}

/** Loads a table into an empty cache. */
async function cold(id, seat) {
  const { page, wire } = await freshPage(seat);
  const sizes = [];
  wire.on("Network.loadingFinished", ({ encodedDataLength }) => sizes.push(encodedDataLength));
  await wire.send("Network.enable");
  await page.addInitScript(() => {
    const seen = new MutationObserver(() => {
      if (!document.querySelector(".card")) return;
      seen.disconnect();
      requestAnimationFrame(() => (window.firstCard = performance.now()));
    });
    seen.observe(document, { subtree: true, childList: true });
  });
  await page.goto(`/sessions/${id}`);
  const first = await page.waitForFunction(() => window.firstCard);
  const load = { bytes: sizes.reduce((sum, size) => sum + size, 0), requests: sizes.length, first: Math.round(await first.jsonValue()) };
  await page.context().close();
  return load;
}

/** Drags a card to and fro, and gives the gaps between frames that are longer than one and a half. */
async function dragged(id, seat) {
  const { page, wire } = await freshPage(seat);
  await page.goto(`/sessions/${id}`);
  await showsVersion(page, 1);
  await still(page);
  const frame = await page.evaluate(frameLength);
  await wire.send("Emulation.setCPUThrottlingRate", { rate: SLOWER });
  const { x, y } = await page.locator("[data-pile=tableau-12]").last().boundingBox();
  await page.mouse.move(x + 9, y + 9);
  await page.mouse.down();
  const counting = page.evaluate(frameTimes, DRAG);
  for (const ends = Date.now() + DRAG; Date.now() < ends; ) {
    const turn = ((ends - Date.now()) / DRAG) * 4 * Math.PI;
    await page.mouse.move(x + 250 + 250 * Math.sin(turn), y + 120 * Math.cos(turn));
  }
  const times = await counting;
  await page.mouse.up();
  const gaps = times.slice(1).map((time, index) => time - times[index]).filter((gap) => gap > 1.5 * frame);
  await page.context().close();
  return { gaps, frames: times.length, frame };
}

/** How long a frame takes when nothing happens, in milliseconds. Runs in the page. */
function frameLength() {
  return new Promise((done) => {
    const times = [];
    const note = (time) => {
      times.push(time);
      if (times.length <= 30) return requestAnimationFrame(note);
      const lengths = times.slice(1).map((each, index) => each - times[index]);
      return done(lengths.sort((one, other) => one - other)[15]);
    };
    requestAnimationFrame(note);
  });
}

/** When frames were drawn, for a while. Runs in the page. */
function frameTimes(milliseconds) {
  return new Promise((done) => {
    const times = [];
    const note = (time) => {
      times.push(time);
      if (time - times[0] < milliseconds) requestAnimationFrame(note);
      else done(times);
    };
    requestAnimationFrame(note);
  });
}

function median(numbers) {
  return numbers.sort((one, other) => one - other)[Math.floor(numbers.length / 2)];
}
