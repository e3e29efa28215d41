/** Tables fit on screens, from a phone's to the largest, as they are dealt and as they grow. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { GAMES, agrees, openPage, openTable, playByApi, randomFrom, serverAndBrowser, still } from "./support.mjs";

const SEED = 5;
const MOVES = 40;

const SCREENS = [
  ["a phone", { viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true, deviceScaleFactor: 3 }, 36],
  ["a phone held sideways", { viewport: { width: 740, height: 360 }, hasTouch: true, isMobile: true, deviceScaleFactor: 3 }, 40],
  ["a laptop", { viewport: { width: 1280, height: 800 } }, 50],
  ["a very large screen", { viewport: { width: 3840, height: 2160 } }, 150],
];

const { server, browser } = await serverAndBrowser();

/** What sticks out of the felt or lies below the window, and how wide cards are. */
function measure(page) {
  return page.evaluate(() => {
    const root = document.documentElement;
    const boxes = [...document.querySelectorAll(".card, .place.empty")].map((element) => [element, element.getBoundingClientRect()]);
    const felt = document.querySelector(".felt").getBoundingClientRect();
    const sticksOut = ({ left, right, top, bottom }) => left < felt.left || right > felt.right || top < felt.top || bottom > felt.bottom;
    return {
      scrollsSideways: root.scrollWidth > root.clientWidth,
      isBelow: boxes.filter(([, { bottom }]) => bottom > innerHeight).map(([element]) => element.dataset.pile ?? element.dataset.place),
      out: boxes.filter(([, box]) => sticksOut(box)).map(([element]) => element.dataset.pile ?? element.dataset.place),
      width: Math.min(...boxes.filter(([element]) => element.matches(".card")).map(([, { width }]) => width)),
    };
  });
}

for (const [screen, options, least] of SCREENS) {
  for (const game of GAMES) {
    test(`${game} fits on ${screen}`, async (t) => {
      t.diagnostic(`seed ${SEED}`);
      const { page, id, token } = await openTable(t, browser, server, { game, seed: "sizes" }, options);
      for (const moves of [0, MOVES]) {
        await playByApi(server, id, token, randomFrom(SEED), moves);
        await agrees(page, server, id);
        await still(page);
        const { scrollsSideways, isBelow, out, width } = await measure(page);
        assert.equal(scrollsSideways, false, "it does not scroll sideways");
        assert.deepEqual(out, [], "all cards are on the felt");
        assert.ok(width >= least, `a card is ${width} pixels wide`);
        if (options.viewport.height > 400) assert.deepEqual(isBelow, [], `after ${moves} moves all cards are in the window`);
      }
    });
  }

  test(`the lobby fits on ${screen}`, async (t) => {
    const page = await openPage(t, browser, server, options);
    await page.goto("/");
    for (const game of GAMES) {
      await page.locator(`input[name=game][value=${game}]`).click();
      await page.getByText("How it is played").click();
      assert.equal((await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)) > 0, false);
    }
  });
}
