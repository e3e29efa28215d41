/** Every game is dealt in the lobby and played: with a mouse, with a finger, with the keyboard alone. */
import { describe, test } from "node:test";
import { Finger, Keyboard, Mouse } from "./hands.mjs";
import { GAMES, agrees, choose, dealInLobby, openPage, randomFrom, serverAndBrowser, sessionOf, showsVersion } from "./support.mjs";

const MOVES = 15;
const SEED = Number(process.env.PATIENCE_SEED ?? 7);

const { server, browser } = await serverAndBrowser();

/** Plays, and after each move holds what is shown against what the server says. */
async function play(t, page, id, hand, random) {
  t.diagnostic(`PATIENCE_SEED=${SEED}`);
  for (let made = 0; made < MOVES; made += 1) {
    const session = await agrees(page, server, id);
    const move = choose(session, random);
    await hand.make(move, session);
    await showsVersion(page, session.version + 1).catch((error) => {
      throw new Error(`${JSON.stringify(move)} was not made. ${error.message}`);
    });
  }
  await agrees(page, server, id);
}

for (const game of GAMES) {
  describe(game, () => {
    test("can be played with a mouse", async (t) => {
      const page = await openPage(t, browser, server);
      const random = randomFrom(SEED);
      const id = await dealInLobby(page, game, `mouse ${SEED}`);
      await play(t, page, id, new Mouse(page, random), random);
    });

    test("can be played with a finger", async (t) => {
      const page = await openPage(t, browser, server, { viewport: { width: 412, height: 860 }, hasTouch: true, isMobile: true });
      const random = randomFrom(SEED);
      const id = await dealInLobby(page, game, `finger ${SEED}`);
      await play(t, page, id, await Finger.of(page, random), random);
    });

    test("can be played with the keyboard alone", async (t) => {
      const page = await openPage(t, browser, server);
      const random = randomFrom(SEED);
      const keyboard = new Keyboard(page, random);
      await page.goto("/");
      await page.locator(".game").first().waitFor();
      await keyboard.tabTo("input[name=game]");
      for (let other = 0; other < GAMES.indexOf(game); other += 1) await page.keyboard.press("ArrowDown");
      await keyboard.tabTo(`input[name=game][value=${game}]`);
      await keyboard.tabTo("input[name=deal]");
      for (let other = 0; other < 2; other += 1) await page.keyboard.press("ArrowDown");
      await keyboard.tabTo("fieldset input[required][maxlength]");
      await page.keyboard.type(`keyboard ${SEED}`);
      await keyboard.tabTo("button[type=submit]");
      await page.keyboard.press("Enter");
      await play(t, page, await sessionOf(page), keyboard, random);
    });
  });
}
