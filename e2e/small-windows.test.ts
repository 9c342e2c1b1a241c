import { afterEach, beforeAll, expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { axeViolations } from "./axe-violations.ts";
import { closeVisits, type Device } from "./browser.ts";
import type { BrowserFixture } from "./browser-fixture.ts";
import { row } from "./row.ts";
import { sharedFixture } from "./shared-fixture.ts";
import { waitUntilIdle } from "./wait-until-idle.ts";

let fixture: BrowserFixture;
beforeAll(async () => {
  fixture = await sharedFixture();
  for (let at = 10; at < 40; at += 1) await fixture.seed.file(`small/file-${at}.txt`);
});
afterEach(closeVisits);

async function show(width: number, height: number, device: Device = "phone"): Promise<Page> {
  const { page } = await fixture.signedIn({ device, width, height, reducedMotion: true });
  await page.goto("/files/small?view=list");
  await row(page, "file-10.txt").waitFor();
  await waitUntilIdle(page);
  return page;
}

/** How many rows of files can be seen as a whole, with nothing over them. */
const rowsInView = (page: Page): Promise<number> =>
  page.locator("[aria-selected]").evaluateAll(
    (rows) =>
      rows.filter((each) => {
        const { left, top, bottom, width } = each.getBoundingClientRect();
        const isFree = (y: number) => each.contains(document.elementFromPoint(left + width / 2, y));
        return bottom <= innerHeight && isFree(top + 6) && isFree(bottom - 6);
      }).length,
  );

const scrollList = (page: Page, by: number) =>
  page.getByRole("grid").evaluate((list, by) => {
    list.scrollTop += by;
  }, by);

test("a phone shows at least six files, and one bar with the title and the navigation", async () => {
  const page = await show(390, 844);
  expect(await rowsInView(page)).toBeGreaterThanOrEqual(10);
  expect(await page.locator("header:visible").count()).toBe(1);
  await page.getByRole("button", { name: "Open navigation" }).tap();
  await page.getByRole("dialog").getByRole("link", { name: "Trash" }).tap();
  await page.getByRole("heading", { name: "Trash", exact: true }).waitFor();
});

test("at a zoom of 400 %, at least three files are in view, and the bars leave with the list", async () => {
  const page = await show(360, 225, "desktop");
  expect(await rowsInView(page)).toBeGreaterThanOrEqual(3);
  await scrollList(page, 200);
  const search = page.getByRole("searchbox", { name: "Search all folders" });
  await page.waitForFunction(
    () => (document.querySelector("[type=search]")?.getBoundingClientRect().bottom ?? 1) <= 0,
  );
  expect(await rowsInView(page)).toBeGreaterThanOrEqual(4);
  // The keyboard brings them back.
  await page.keyboard.press("/");
  await page.waitForFunction(
    () => (document.querySelector("[type=search]")?.getBoundingClientRect().top ?? -1) >= 0,
  );
  await search.fill("file-11");
  await page.getByText("1 result").waitFor({ state: "attached" });
  await row(page, "file-11.txt").waitFor();
  expect(await search.evaluate((field) => field === document.activeElement)).toBe(true);
  expect(await axeViolations(page)).toEqual([]);
});

test("a phone on its side shows six files, and a click selects the right one after a scroll", async () => {
  const page = await show(667, 375);
  expect(await rowsInView(page)).toBeGreaterThanOrEqual(6);
  await scrollList(page, 440);
  await page.getByRole("checkbox", { name: "Select file-25.txt" }).tap();
  await page.getByRole("toolbar", { name: "Selection" }).getByText("1 selected").waitFor();
  expect(await row(page, "file-25.txt").getAttribute("aria-selected")).toBe("true");
});

test("the menu of an entry is a sheet within the window, and selects nothing", async () => {
  const page = await show(390, 664);
  await page.getByRole("button", { name: "More actions for file-17.txt" }).tap();
  const menu = page.getByRole("menu", { name: "Actions for file-17.txt" });
  const last = menu.getByRole("menuitem", { name: "Delete" });
  await last.waitFor();
  const box = await last.boundingBox();
  expect((box?.y ?? 0) + (box?.height ?? 0)).toBeLessThanOrEqual(664);
  expect(await axeViolations(page)).toEqual([]);
  // Beside the sheet. What is below it does not open.
  await page.touchscreen.tap(200, 20);
  await menu.waitFor({ state: "detached" });
  expect(await page.getByText("1 selected").count()).toBe(0);
  await row(page, "file-12.txt").tap();
  await page.getByRole("dialog", { name: "Preview of file-12.txt" }).waitFor();
});

test("below its edge, a sheet scrolls to its last entry", async () => {
  const page = await show(667, 375);
  await page.getByRole("button", { name: "More actions for file-11.txt" }).tap();
  await page.getByRole("menuitem", { name: "Delete" }).scrollIntoViewIfNeeded();
  await page.getByRole("menuitem", { name: "Delete" }).tap();
  await row(page, "file-11.txt").waitFor({ state: "detached" });
});

test("the navigation of a tablet has words", async () => {
  const page = await show(768, 1024);
  const link = page.getByRole("navigation", { name: "Main" }).getByRole("link", { name: "Trash" });
  const width = await link.evaluate((each) => {
    const range = document.createRange();
    range.selectNodeContents(each);
    return range.getBoundingClientRect().width;
  });
  expect(width).toBeGreaterThan(20);
  expect(await axeViolations(page)).toEqual([]);
});

test("on a phone, the preview shows the name of a file of usual length as a whole", async () => {
  await fixture.seed.file("small/Annual report 2026.pdf");
  const page = await show(390, 844);
  await row(page, "Annual report 2026.pdf").tap();
  const name = page.getByRole("dialog").getByRole("heading", { level: 2 }).first();
  await name.getByText("Annual report 2026.pdf").waitFor();
  // A name that is too long takes two lines, of which neither is seen.
  const lines = await name.locator("bdi").evaluate((text) => text.getBoundingClientRect().height);
  expect(lines).toBeLessThan(25);
});
