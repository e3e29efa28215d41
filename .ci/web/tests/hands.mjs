/**
 * Ways to make a move on a table: with a mouse, with a finger, with the keyboard alone. Each finds piles and cards where
 * they are on the screen.
 *
 * @typedef {{ x: number, y: number }} Point in pixels of the viewport
 */
import assert from "node:assert/strict";
import { still } from "./support.mjs";

/** How many keys may be pressed to get from one card to another. */
const MOST_KEYS = 80;

/** How many cards lie on a pile. */
function size(session, pile) {
  const { face_down, cards } = session.piles.find(({ id }) => id === pile);
  return face_down + cards.length;
}

/** What finds the `count`th card of a pile from the top, or the place of an empty pile. */
export function selector(session, pile, count = 1) {
  const cards = size(session, pile);
  return cards === 0 ? `[data-place="${pile}"]` : `[data-pile="${pile}"][data-index="${cards - count}"]`;
}

const stockOf = (session) => session.piles.find(({ kind }) => kind === "stock").id;

/** Where a thing lies, and a point of it that nothing covers. */
async function grip(page, which) {
  await page.locator(which).scrollIntoViewIfNeeded();
  const found = await page.locator(which).evaluate((element) => {
    const { left, top, width, height } = element.getBoundingClientRect();
    for (const down of [0.5, 0.8, 0.2, 0.1, 0.05]) {
      for (const across of [0.5, 0.2, 0.1, 0.05]) {
        const point = { x: left + across * width, y: top + down * height };
        if (element.contains(document.elementFromPoint(point.x, point.y))) return { left, top, point };
      }
    }
    return undefined;
  });
  assert.ok(found, `${which} is covered, or not on the screen`);
  return found;
}

/** What a mouse and a finger have in common. */
class Pointer {
  constructor(page, random) {
    this.page = page;
    this.random = random;
  }

  async make(move, session) {
    await still(this.page);
    if (move.type !== "move") return this.press((await grip(this.page, selector(session, stockOf(session)))).point);
    const from = await grip(this.page, selector(session, move.from, move.count));
    const to = await grip(this.page, selector(session, move.to));
    if (move.from === stockOf(session) || this.random() < 0.6) return this.drag(from, to);
    await this.press(from.point);
    return this.press(to.point);
  }

  /** Puts a thing where another lies. */
  async drag(from, to) {
    const end = { x: from.point.x + to.left - from.left, y: from.point.y + to.top - from.top };
    await this.take(from.point, end);
    await this.let(end);
  }
}

export class Mouse extends Pointer {
  async press({ x, y }) {
    await this.page.mouse.click(x, y);
  }

  /** Takes what is at a point and draws it to another. @param {Point} from @param {Point} to */
  async take(from, to) {
    await this.page.mouse.move(from.x, from.y);
    await this.page.mouse.down();
    await this.page.mouse.move(to.x, to.y, { steps: 6 });
  }

  async let() {
    await this.page.mouse.up();
  }
}

/** A finger: what it does goes through the browser as touches do. */
export class Finger extends Pointer {
  static async of(page, random) {
    const finger = new Finger(page, random);
    finger.screen = await page.context().newCDPSession(page);
    return finger;
  }

  async #touch(type, ...touchPoints) {
    await this.screen.send("Input.dispatchTouchEvent", { type, touchPoints });
  }

  async press(point) {
    await this.#touch("touchStart", point);
    await this.#touch("touchEnd");
  }

  async take(from, to) {
    const steps = 6;
    await this.#touch("touchStart", from);
    for (let step = 1; step <= steps; step += 1) {
      const part = step / steps;
      await this.#touch("touchMove", { x: from.x + part * (to.x - from.x), y: from.y + part * (to.y - from.y) });
    }
  }

  async let() {
    await this.#touch("touchEnd");
  }
}

/** The keyboard, and nothing else. */
export class Keyboard {
  constructor(page, random) {
    this.page = page;
    this.random = random;
  }

  async make(move, session) {
    if (move.type !== "move") {
      if (this.random() < 0.5) return this.page.keyboard.press("d");
      await this.goTo(selector(session, stockOf(session)));
      return this.page.keyboard.press("Enter");
    }
    await this.goTo(selector(session, move.from, move.count));
    await this.page.keyboard.press(move.from === stockOf(session) ? "Shift+Enter" : "Enter");
    await this.goTo(selector(session, move.to));
    return this.page.keyboard.press("Enter");
  }

  /** Goes on with Tab until something has the focus. @param {string} which */
  async tabTo(which) {
    for (let keys = 0; keys < MOST_KEYS; keys += 1) {
      if (await this.#isAt(which)) return;
      await this.page.keyboard.press("Tab");
    }
    assert.fail(`Tab does not lead to ${which}`);
  }

  /** Goes to a card or place, from wherever the focus is: to the board with Tab, and there with arrow keys. */
  async goTo(which) {
    await still(this.page);
    await this.tabTo(".board :is(.card, .place)");
    const tried = new Map();
    for (let keys = 0; keys < MOST_KEYS; keys += 1) {
      if (await this.#isAt(which)) return;
      await this.page.keyboard.press(await this.#bestArrow(which, tried));
    }
    assert.fail(`arrow keys do not lead to ${which}`);
  }

  #isAt(which) {
    return this.page.evaluate((wanted) => document.activeElement.matches(wanted), which);
  }

  /** The arrow that points to where one wants to go; at a spot where that was of no use, the next best. */
  async #bestArrow(which, tried) {
    const { spot, right, down } = await this.page.evaluate((wanted) => {
      const [here, there] = [document.activeElement, document.querySelector(wanted)].map((one) => one.getBoundingClientRect());
      return { spot: document.activeElement.id, right: there.left - here.left, down: there.top - here.top };
    }, which);
    const arrows = [["ArrowRight", right], ["ArrowLeft", -right], ["ArrowDown", down], ["ArrowUp", -down]]
      .sort((one, other) => other[1] - one[1])
      .map(([arrow]) => ({ arrow, times: tried.get(`${spot} ${arrow}`) ?? 0 }));
    const { arrow, times } = arrows.sort((one, other) => one.times - other.times)[0];
    tried.set(`${spot} ${arrow}`, times + 1);
    return arrow;
  }
}
