import { afterEach, beforeAll, describe, expect, test } from "bun:test";
import type { Locator, Page } from "playwright-core";
import { eventually } from "../test/expectations.ts";
import { closeVisits, type Device } from "./browser.ts";
import type { BrowserFixture } from "./browser-fixture.ts";
import { row } from "./row.ts";
import { sharedFixture } from "./shared-fixture.ts";
import { drag } from "./touch-gestures.ts";
import { waitUntilIdle } from "./wait-until-idle.ts";

let fixture: BrowserFixture;
beforeAll(async () => {
  fixture = await sharedFixture();
});
afterEach(closeVisits);

interface ShowOptions {
  readonly view?: "list" | "grid";
  readonly device?: Device;
}

async function show(folder: string, count: number, { view = "list", device }: ShowOptions = {}) {
  await fixture.seed.many(folder, count);
  const { page } = await fixture.signedIn({ reducedMotion: true, ...(device && { device }) });
  await page.goto(`/files/${folder}?sort=name&dir=asc&view=${view}`);
  await cell(page, nameOf(1)).waitFor();
  await waitUntilIdle(page);
  return page;
}

const nameOf = (number: number) => `note-${String(number).padStart(5, "0")}.txt`;

/** The row or tile of a file. */
const cell = (page: Page, name: string): Locator =>
  page.locator("[aria-selected]").filter({ has: page.getByText(name, { exact: true }) });

async function boxOf(locator: Locator) {
  const box = await locator.boundingBox();
  if (box === null) throw new Error("The element is not in view.");
  return { ...box, right: box.x + box.width, bottom: box.y + box.height };
}

const selected = (page: Page, count: number) =>
  page.getByText(`${count} selected`, { exact: true }).first().waitFor();
const band = (page: Page) => page.locator("[data-rubber-band]");

/** Presses the mouse and moves until the rectangle is drawn. */
async function startBand(page: Page, from: { x: number; y: number }): Promise<void> {
  await page.mouse.move(from.x, from.y);
  await page.mouse.down();
  await eventually("the rectangle is drawn", async () => {
    await page.mouse.move(from.x + 6, from.y - 8);
    await page.mouse.move(from.x + 8, from.y - 6);
    return (await band(page).count()) === 1;
  });
}

describe("a drag from empty space", () => {
  test("selects the rows that the rectangle touches, and a click beside them clears", async () => {
    const page = await show("band list", 8);
    const last = await boxOf(row(page, nameOf(8)));
    await startBand(page, { x: last.x + 300, y: last.bottom + 60 });
    await page.mouse.move(last.x + 400, last.y + 5);
    await selected(page, 1);
    const sixth = await boxOf(row(page, nameOf(6)));
    await page.mouse.move(last.x + 420, sixth.y + 5);
    await selected(page, 3);
    await page.mouse.move(last.x + 420, last.y - 5);
    await selected(page, 2);
    await page.mouse.up();
    await band(page).waitFor({ state: "detached" });
    await selected(page, 2);
    expect(await row(page, nameOf(7)).getAttribute("aria-selected")).toBe("true");
    expect(await page.evaluate(() => document.activeElement?.role)).toBe("grid");
    expect(await page.evaluate(() => String(getSelection()))).toBe("");

    await page.mouse.click(last.x + 300, last.bottom + 60);
    await page.getByRole("toolbar", { name: "Selection" }).waitFor({ state: "detached" });
  });

  test("selects tiles, and with Ctrl or Shift adds to the selection", async () => {
    const page = await show("band grid", 6, { view: "grid" });
    const [first, second] = [
      await boxOf(cell(page, nameOf(1))),
      await boxOf(cell(page, nameOf(2))),
    ];
    const gap = (first.right + second.x) / 2;
    await startBand(page, { x: first.x - 6, y: first.y + 60 });
    await page.mouse.move(gap, first.bottom - 20);
    await selected(page, 1);
    await page.mouse.move(second.x + 20, first.bottom - 20);
    await selected(page, 2);
    await page.mouse.up();

    const last = await boxOf(cell(page, nameOf(6)));
    for (const [key, count] of [
      ["Control", 3],
      ["Shift", 3],
    ] as const) {
      await page.keyboard.down(key);
      await startBand(page, { x: last.x + 30, y: last.bottom + 40 });
      await page.mouse.move(last.x + 60, last.bottom - 10);
      await selected(page, count);
      await page.mouse.up();
      await page.keyboard.up(key);
    }
    await startBand(page, { x: last.x + 30, y: last.bottom + 40 });
    await page.mouse.move(last.x + 60, last.bottom - 10);
    await selected(page, 1);
    await page.mouse.up();
  });

  test("is ended by Escape, which brings the selection back", async () => {
    const page = await show("band escape", 6);
    await row(page, nameOf(2)).click({ position: { x: 500, y: 18 } });
    await selected(page, 1);
    const last = await boxOf(row(page, nameOf(6)));
    await startBand(page, { x: last.x + 300, y: last.bottom + 60 });
    await page.mouse.move(last.x + 420, last.y - 50);
    await selected(page, 3);
    await page.keyboard.press("Escape");
    await band(page).waitFor({ state: "detached" });
    await selected(page, 1);
    await page.mouse.move(last.x + 440, last.y - 90);
    await page.mouse.up();
    await page.mouse.move(last.x + 440, last.y - 91);
    await selected(page, 1);
    expect(await row(page, nameOf(2)).getAttribute("aria-selected")).toBe("true");
  });

  test("reaches the rows under the mouse also in a larger font", async () => {
    const page = await show("band font", 3);
    await page.evaluate(() => {
      document.documentElement.style.fontSize = "24px";
    });
    const header = page.locator("[data-list-header]");
    const boxes = async () => [await boxOf(header), await boxOf(row(page, nameOf(1)))] as const;
    const [above, first] = await boxes();
    expect(first.y).toBe(above.bottom);
    const last = await boxOf(row(page, nameOf(3)));
    await startBand(page, { x: last.x + 300, y: last.bottom + 60 });
    for (const [position, count] of [
      [last.y + 2, 1],
      [last.y - 2, 2],
      [first.bottom - 2, 3],
    ] as const) {
      await page.mouse.move(last.x + 400, position);
      await selected(page, count);
    }
    await page.mouse.up();
  });

  test("goes on after a right click, which opens no menu", async () => {
    const page = await show("band menu", 4);
    const last = await boxOf(row(page, nameOf(4)));
    await startBand(page, { x: last.x + 300, y: last.bottom + 60 });
    await page.mouse.move(last.x + 400, last.y + 5);
    await selected(page, 1);
    await page.mouse.down({ button: "right" });
    await page.mouse.up({ button: "right" });
    await page.mouse.move(last.x + 400, last.y - 5);
    await selected(page, 2);
    expect(await page.getByRole("menu").count()).toBe(0);
    await page.mouse.up();
    await band(page).waitFor({ state: "detached" });
    await row(page, nameOf(1)).click({ button: "right", position: { x: 500, y: 18 } });
    await page.getByRole("menu").waitFor();
  });

  test("keeps the selection if it is too short and Ctrl or Shift is pressed", async () => {
    const page = await show("band short", 4);
    await row(page, nameOf(2)).click({ position: { x: 500, y: 18 } });
    await selected(page, 1);
    const last = await boxOf(row(page, nameOf(4)));
    for (const key of ["Control", "Shift"]) {
      await page.keyboard.down(key);
      await page.mouse.click(last.x + 300, last.bottom + 60);
      await page.keyboard.up(key);
      await selected(page, 1);
    }
    await page.mouse.click(last.x + 300, last.bottom + 60);
    await page.getByRole("toolbar", { name: "Selection" }).waitFor({ state: "detached" });
  });

  test("scrolls at the edge, and counts rows that are out of view", async () => {
    const page = await show("band far", 3_000);
    const grid = page.getByRole("grid");
    await eventually("all files are loaded", async () => {
      await grid.evaluate((element) => element.scrollTo(0, element.scrollHeight));
      return (await row(page, nameOf(3_000)).count()) === 1;
    });
    const area = await boxOf(grid);
    await waitUntilIdle(page);
    await startBand(page, { x: area.x + 200, y: area.bottom - 12 });
    // Above the window is further past the edge, so faster.
    await page.mouse.move(area.x + 260, area.y - 80);
    await eventually("rows at the end have left the view", async () => {
      return (await row(page, nameOf(3_000)).count()) === 0;
    });
    const top = () => grid.evaluate((element) => element.scrollTop);
    const before = await top();
    await eventually("the list has scrolled on", async () => (await top()) < before - 2_000);
    await page.mouse.move(area.x + 260, area.y + 300);
    await page.mouse.up();
    const bar = page.getByRole("toolbar", { name: "Selection" }).getByRole("status");
    await band(page).waitFor({ state: "detached" });
    const count = Number.parseInt((await bar.textContent())?.replaceAll(",", "") ?? "", 10);
    expect(count).toBeGreaterThan(60);
    const at = await row(page, nameOf(3_000 - count + 1)).getAttribute("aria-selected");
    expect(at).toBe("true");
    expect(await row(page, nameOf(3_000 - count)).getAttribute("aria-selected")).toBe("false");
  });
});

test("a drag from a row drags the row", async () => {
  await fixture.seed.file("band rows/into/x.txt");
  const page = await show("band rows", 3);
  const from = await boxOf(row(page, nameOf(3)));
  await page.mouse.move(from.x + 500, from.y + 10);
  await page.mouse.down();
  const into = await boxOf(row(page, "into"));
  await page.mouse.move(into.x + 400, into.y + 12);
  await page.mouse.move(into.x + 404, into.y + 14);
  expect(await band(page).count()).toBe(0);
  await page.mouse.up();
  await row(page, nameOf(3)).waitFor({ state: "detached" });
});

test("a finger scrolls, and draws no rectangle", async () => {
  const page = await show("band finger", 40, { view: "grid", device: "phone" });
  const first = await boxOf(cell(page, nameOf(1)));
  const from = { x: first.x - 6, y: first.bottom + 300 };
  await drag(page, from, { x: from.x + 200, y: first.y });
  await eventually(
    "the grid has scrolled",
    async () => (await page.getByRole("grid").evaluate((element) => element.scrollTop)) > 100,
  );
  expect(await band(page).count()).toBe(0);
  expect(await page.getByRole("grid").locator("[aria-selected=true]").count()).toBe(0);
});
