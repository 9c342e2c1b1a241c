import { afterEach, beforeAll, expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { eventually } from "../test/expectations.ts";
import { encodePng } from "../test/image-encoders.ts";
import { axeViolations } from "./axe-violations.ts";
import { closeVisits } from "./browser.ts";
import type { BrowserFixture } from "./browser-fixture.ts";
import { previewOf, visitPreview } from "./preview-page.ts";
import { sharedFixture } from "./shared-fixture.ts";

const COUNT = 90;

let fixture: BrowserFixture;
beforeAll(async () => {
  fixture = await sharedFixture();
  const photos = Array.from({ length: COUNT }, (_, at) => ({
    content: new Blob([new Uint8Array(encodePng(20, 20, () => [at % 256, 90, 120]))]),
    name: nameOf(at),
  }));
  await fixture.seed.holdall.files.uploadMany(photos, { folder: "strip" });
});
afterEach(closeVisits);

const nameOf = (at: number) => `photo-${100 + at}.png`;
const open = (at: number, options = {}) =>
  visitPreview(fixture, `strip/${nameOf(at)}`, { width: 1440, ...options });

const strip = (page: Page) => page.getByRole("navigation", { name: "Nearby files" });
const frame = (page: Page, at: number) =>
  strip(page).getByRole("button", { name: nameOf(at), exact: true });
const current = (page: Page) => strip(page).locator("[aria-current]").getAttribute("aria-label");
const focused = (page: Page) => page.evaluate(() => document.activeElement?.ariaLabel);

test("files before and after an image are shown below it, and only their thumbnails are loaded", async () => {
  const page = (await fixture.signedIn({ reducedMotion: true, width: 1440 })).page;
  const { id } = await fixture.seed.holdall.files.getByKey(`strip/${nameOf(45)}`);
  const thumbnails = new Set<string>();
  page.on("request", (request) => {
    if (request.url().includes("size=small")) thumbnails.add(request.url());
  });
  await page.goto(`/files/strip?sort=name&dir=asc&view=list&file=${id}`);
  await previewOf(page, nameOf(45)).waitFor();
  await eventually("all frames have their thumbnail", async () => {
    const frames = await strip(page).getByRole("button").count();
    return frames > 9 && (await strip(page).locator("img:not(.opacity-0)").count()) === frames;
  });
  const names = await strip(page)
    .getByRole("button")
    .evaluateAll((frames) => frames.map((each) => each.ariaLabel));
  expect(names).toContain(nameOf(44));
  expect(names).toContain(nameOf(46));
  expect(thumbnails.size).toBe(names.length);
  expect(names.indexOf(nameOf(45))).toBe(Math.floor(names.length / 2));
  expect(await axeViolations(page)).toEqual([]);

  await frame(page, 48).click();
  await previewOf(page, nameOf(48)).waitFor();
  expect(await current(page)).toBe(nameOf(48));
});

test("one Tab stop leads to the strip, where arrow keys go through the files", async () => {
  const { page } = await open(2);
  await page.keyboard.press("ArrowRight");
  await previewOf(page, nameOf(3)).waitFor();
  await eventually("the strip has the focus", async () => {
    if ((await focused(page)) === nameOf(3)) return true;
    await page.keyboard.press("Tab");
    return false;
  });
  await page.keyboard.press("ArrowRight");
  await previewOf(page, nameOf(4)).waitFor();
  await eventually("the focus follows", async () => (await focused(page)) === nameOf(4));
  await page.keyboard.press("ArrowLeft");
  await page.keyboard.press("ArrowLeft");
  await previewOf(page, nameOf(2)).waitFor();
  await eventually("the focus follows", async () => (await focused(page)) === nameOf(2));
});

test("all frames are in view in a larger font", async () => {
  const { page } = await open(8);
  await page.evaluate(() => {
    document.documentElement.style.fontSize = "24px";
  });
  const { x = 0, width = 0 } = (await strip(page).boundingBox()) ?? {};
  const frames = await strip(page)
    .getByRole("button")
    .evaluateAll((each) => each.map((one) => one.getBoundingClientRect().toJSON()));
  expect(frames.length).toBeGreaterThan(9);
  expect(Math.min(...frames.map(({ left }) => left))).toBeGreaterThanOrEqual(x);
  expect(Math.max(...frames.map(({ right }) => right))).toBeLessThanOrEqual(x + width);
});

test("the strip can be hidden, and stays hidden", async () => {
  const { page } = await open(5);
  await strip(page).waitFor();
  await page.getByRole("button", { name: "Nearby files" }).click();
  await strip(page).waitFor({ state: "detached" });
  await page.reload();
  await previewOf(page, nameOf(5)).waitFor();
  const toggle = page.getByRole("button", { name: "Nearby files" });
  expect(await toggle.getAttribute("aria-expanded")).toBe("false");
  expect(await strip(page).count()).toBe(0);
  await toggle.click();
  await strip(page).waitFor();
});

test("phones and tablets have no strip", async () => {
  for (const width of [390, 768]) {
    const { page } = await open(5, { width, device: "phone" });
    expect(await strip(page).count()).toBe(0);
    expect(await page.getByRole("button", { name: "Nearby files" }).count()).toBe(0);
  }
});
