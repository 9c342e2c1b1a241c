import { afterEach, beforeAll, describe, expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { eventually } from "../test/expectations.ts";
import { encodePng } from "../test/image-encoders.ts";
import { axeViolations } from "./axe-violations.ts";
import { closeVisits } from "./browser.ts";
import type { BrowserFixture } from "./browser-fixture.ts";
import { type Box, boxOf, checkboxOf, show, tile, waitForOpacity } from "./look.ts";
import { type Color, contrastOf, type Point, pixelColors } from "./pixel-colors.ts";
import { createWav } from "./sample-media.ts";
import { sharedFixture } from "./shared-fixture.ts";

let fixture: BrowserFixture;
beforeAll(async () => {
  fixture = await sharedFixture();
});
afterEach(closeVisits);

const doOverlap = (one: Box, other: Box): boolean =>
  one.x < other.right && other.x < one.right && one.y < other.bottom && other.y < one.bottom;

const BLACK: Color = [0, 0, 0];
/* The plate has 28 pixels, the box in its middle 16. It may begin between two pixels. */
const ON_PLATE: Point = [4 / 28, 0.5];
const IN_BOX: Point = [7.5 / 28, 0.5];
const ACROSS_BORDER: readonly Point[] = [ON_PLATE, [5.5 / 28, 0.5], [6.5 / 28, 0.5], IN_BOX];

/** The number of tiles in the first row. */
async function columns(page: Page): Promise<number> {
  const tops = await page
    .getByRole("gridcell")
    .evaluateAll((cells) => cells.map((cell) => cell.getBoundingClientRect().top));
  return tops.filter((top) => top === tops[0]).length;
}

describe("tiles", () => {
  test("have three sizes, of which the last one is remembered", async () => {
    const names = Array.from({ length: 14 }, (_, at) => `${at}.bin`);
    const page = await show(fixture, "sizes", names, { view: "grid" });
    const medium = await columns(page);
    await page.getByRole("radio", { name: "Large" }).check();
    await eventually("there are fewer columns", async () => (await columns(page)) < medium);
    await page.getByRole("radio", { name: "Small" }).check();
    await eventually("there are more columns", async () => (await columns(page)) > medium);
    const small = await columns(page);
    await page.reload();
    await tile(page, "0.bin").waitFor();
    expect(await columns(page)).toBe(small);
    expect(await page.getByRole("radio", { name: "Small" }).isChecked()).toBe(true);
  });

  test("say whether a file is public or private, in an icon if they are small", async () => {
    await fixture.seed.file("icons/open.bin");
    await fixture.seed.file("icons/closed.bin", "x", "private");
    const page = await show(fixture, "icons", ["sub/a.bin"], { view: "grid" });
    const closed = tile(page, "closed.bin").getByText("Private");
    expect((await closed.boundingBox())?.width).toBeGreaterThan(20);
    await page.getByRole("radio", { name: "Small" }).check();
    await eventually("the word is hidden", async () => {
      return ((await closed.boundingBox())?.width ?? 20) < 2;
    });
    await tile(page, "open.bin").getByText("Public").waitFor();
    await closed.locator("..").locator("svg").waitFor();
    expect(await tile(page, "sub").getByText("1 file").count()).toBe(0);
    expect(await axeViolations(page)).toEqual([]);
  });

  test("show names and their menus on a phone, also if they are small", async () => {
    await fixture.seed.file("brief/photos/harbour-1.bin");
    const { page } = await fixture.signedIn({ reducedMotion: true, device: "phone", width: 390 });
    await page.addInitScript(() => localStorage.setItem("holdall-tile-size", "s"));
    await page.goto("/files/brief/photos?view=grid");
    const name = tile(page, "harbour-1.bin").getByRole("link");
    await name.waitFor();
    expect((await name.boundingBox())?.width).toBeGreaterThan(80);
    expect(await axeViolations(page)).toEqual([]);
    await page.getByRole("button", { name: "More actions for harbour-1.bin" }).tap();
    await page.getByRole("menu").waitFor();
  });

  test("keep the length of a film and their menu apart on a phone", async () => {
    await fixture.seed.file("short films/tour.mp4", createWav(7));
    const { page } = await fixture.signedIn({ reducedMotion: true, device: "phone", width: 390 });
    await page.addInitScript(() => localStorage.setItem("holdall-tile-size", "s"));
    await page.goto("/files/short films?view=grid");
    const length = await boxOf(tile(page, "tour.mp4").getByText("0:07"));
    const menu = await boxOf(page.getByRole("button", { name: "More actions for tour.mp4" }));
    const select = await boxOf(checkboxOf(page, "tour.mp4"));
    expect([menu, select].some((other) => doOverlap(length, other))).toBe(false);
  });

  test("of films say how long they are", async () => {
    // Sound is enough of a film: browsers look at the content, not at its name.
    await fixture.seed.file("films/tour.mp4", createWav(7));
    const page = await show(fixture, "films", [], { view: "grid" });
    await tile(page, "tour.mp4").getByText("0:07").waitFor();
  });

  test("show their checkbox on a plate, on dark and on bright pictures", async () => {
    const pictures = { "black.png": 0, "white.png": 255 };
    for (const [name, grey] of Object.entries(pictures)) {
      const png = encodePng(320, 240, () => [grey, grey, grey]);
      await fixture.seed.file(`plates/${name}`, new Uint8Array(png));
    }
    const page = await show(fixture, "plates", [], { view: "grid", theme: "dark" });
    for (const name of Object.keys(pictures)) {
      const checkbox = checkboxOf(page, name);
      const plate = checkbox.locator("xpath=../..");
      await tile(page, name).locator("img:not(.opacity-0)").waitFor();
      await tile(page, name).hover();
      await waitForOpacity(checkbox, 1);
      const [picture] = await pixelColors(tile(page, name), [[0.8, 0.3]]);
      const [ground = BLACK, ...across] = await pixelColors(plate, ACROSS_BORDER);
      const contrast = Math.max(...across.map((color) => contrastOf(color, ground)));
      expect(ground).not.toEqual(picture ?? ground);
      expect(contrast).toBeGreaterThan(3);

      await checkbox.check();
      await page.getByText("1 selected").first().waitFor();
      const [below = BLACK, box = BLACK] = await pixelColors(plate, [ON_PLATE, IN_BOX]);
      expect(below).toEqual(ground);
      expect(contrastOf(box, below)).toBeGreaterThan(3);
      await checkbox.uncheck();
    }
  });
});

describe("on a tablet", () => {
  const open = async (folder: string) => {
    const names = Array.from({ length: 6 }, (_, at) => `${at}.bin`);
    return show(fixture, folder, [...names, "deep/er/x.bin"], { view: "grid", width: 768 });
  };

  test("the sidebar is narrow, with words below its icons, and the grid has three columns", async () => {
    const page = await open("tablet");
    const navigation = page.getByRole("navigation", { name: "Main" });
    expect((await navigation.boundingBox())?.width).toBeLessThan(80);
    expect(await columns(page)).toBeGreaterThanOrEqual(3);
    await navigation.getByText("Trash").waitFor();
    await page.setViewportSize({ width: 1280, height: 800 });
    await eventually(
      "the sidebar is wide again",
      async () => ((await navigation.boundingBox())?.width ?? 0) > 180,
    );
  });

  test.each([390, 768, 1024])("at %d px, the tree of folders opens in a drawer", async (width) => {
    const page = await open(`drawer ${width}`);
    await page.setViewportSize({ width, height: 800 });
    const button = page.getByRole("button", { name: "Show folder tree" });
    await button.click();
    const drawer = page.getByRole("dialog", { name: "Folders" });
    const current = drawer.getByRole("treeitem", { name: `drawer ${width}`, exact: true });
    await current.waitFor();
    expect(await axeViolations(page, "dialog", "all")).toEqual([]);
    await drawer.getByRole("treeitem", { name: "deep", exact: true }).click();
    await tile(page, "er").waitFor();
    await drawer.waitFor({ state: "detached" });
    await button.click();
    await page.keyboard.press("Escape");
    await drawer.waitFor({ state: "detached" });
  });
});
