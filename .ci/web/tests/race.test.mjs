/** A race of two, from its opening to its end. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { agrees, openPage, press, seatIn, serverAndBrowser, sessionOf } from "./support.mjs";

const { server, browser } = await serverAndBrowser();

/** What stands in a player's row, by the heads of the columns. */
async function standing(page, name) {
  return page.locator(".standings tr", { hasText: name }).locator("td, th").allTextContents();
}

async function opensRace(page, name, visibility) {
  await page.goto("/");
  await page.locator("input[name=game][value=topsy-turvy-queens]").click();
  await page.getByLabel("Your name").fill(name);
  await page.getByRole("spinbutton", { name: "Players" }).fill("2");
  await page.getByLabel("Who may see it").selectOption(visibility);
  await press(page, "Open a race");
  await page.waitForURL(/\/races\//);
  return (await page.locator("code").filter({ hasText: "/races/" }).textContent()).trim();
}

async function givesUp(page) {
  await press(page, "Give up");
  await page.getByRole("group", { name: "Give up?" }).getByRole("button", { name: "Give up" }).click();
}

for (const visibility of ["unlisted", "public", "private"]) {
  test(`a race that is ${visibility} is opened, joined by its link, run, and over when both have given up`, async (t) => {
    const [ada, bob] = [await openPage(t, browser, server), await openPage(t, browser, server)];
    const link = await opensRace(ada, "Ada", visibility);
    assert.equal(link.includes("#invite="), visibility === "private");
    const id = new URL(link).pathname.split("/")[2];
    await ada.getByText("1 player of 2").waitFor();

    await bob.goto(link);
    await bob.getByLabel("Your name").fill("Bob");
    await press(bob, "Join");
    await bob.getByText("Bob (you)").waitFor();
    await ada.getByText("2 players of 2").waitFor();

    await press(ada, "Start");
    const [first, second] = await Promise.all(
      [ada, bob].map(async (page) => {
        await page.waitForURL(/\/sessions\//);
        return sessionOf(page);
      }),
    );
    assert.notEqual(first, second);
    const { token } = await seatIn(ada, first);
    await press(ada, "Draw");
    await press(ada, "Draw");
    await bob.locator(".standings tr", { hasText: "Ada" }).locator("td").nth(3).getByText("2", { exact: true }).waitFor();
    await agrees(ada, server, first, token);
    assert.deepEqual((await standing(bob, "Bob")).slice(1, 3), ["Bob (you)", "Playing"]);

    const stranger = await openPage(t, browser, server);
    await stranger.goto(`/sessions/${first}`);
    await stranger.getByText("There is no such table").waitFor();

    await givesUp(ada);
    await bob.locator(".standings tr", { hasText: "Ada" }).getByText("Resigned").waitFor();
    await givesUp(bob);
    for (const page of [ada, bob]) {
      await page.getByText("Race: Over.").waitFor();
      await page.getByText("It matches the commitment").waitFor();
    }

    const race = await server.get(`/v1/races/${id}`, token);
    assert.equal(race.status, "over");
    await ada.goto(`/races/${id}`);
    await ada.getByText(`The seed was ${race.deal.seed}.`).waitFor();
    await ada.getByRole("link", { name: "Bob" }).click();
    await ada.getByText("You are watching.").waitFor();
    await agrees(ada, server, second, token);
  });
}

test("on a phone the standings take a line, which says how one stands", async (t) => {
  const { race, token, seat } = await server.post("/v1/races", { game: "captive-queens", seats: 2 });
  await server.post(`/v1/races/${race.id}/players`, {});
  await server.post(`/v1/races/${race.id}/start`, undefined, token);
  const seats = [{ kind: "race", id: race.id, token, seat, game: race.game, at: 1 }];
  const page = await openPage(t, browser, server, { seats, viewport: { width: 360, height: 740 } });
  await page.goto(`/races/${race.id}`);
  await press(page, "To my table");
  const line = page.locator(".beside summary", { hasText: /^Standings: you are [12] of 2$/ });
  await line.waitFor();
  assert.equal(await page.locator(".standings").isVisible(), false);
  await line.click();
  await page.locator(".standings").waitFor();
});
