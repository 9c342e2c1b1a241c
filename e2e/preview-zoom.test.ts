import { afterEach, beforeAll, expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { closeVisits } from "./browser.ts";
import type { BrowserFixture } from "./browser-fixture.ts";
import { previewOf, visitPreview, waitForFocus } from "./preview-page.ts";
import { createWav } from "./sample-media.ts";
import { sharedFixture } from "./shared-fixture.ts";

const picture = (width: number, height: number) =>
  `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}"><rect width="100%" height="100%" fill="teal"/></svg>`;

let fixture: BrowserFixture;
beforeAll(async () => {
  fixture = await sharedFixture();
  await fixture.seed.file("preview-zoom/large.svg", picture(2_400, 1_600));
  await fixture.seed.file("preview-zoom/small.svg", picture(100, 50));
  await fixture.seed.file("preview-zoom/wide.svg", picture(8_000, 500));
  await fixture.seed.file("preview-zoom/x.mp4", createWav(2));
  await fixture.seed.file("preview-zoom/y.wav", createWav(2));
});
afterEach(closeVisits);

const percent = (page: Page, text: string) =>
  page.getByRole("status", { name: "Zoom" }).getByText(text, { exact: true }).waitFor();

/** The width on the screen, in pixels of the screen. */
const shownWidth = (page: Page) =>
  page.evaluate(
    () =>
      (document.querySelector("dialog img")?.getBoundingClientRect().width ?? 0) *
      window.devicePixelRatio,
  );

test("shows the true percentage of a fitted picture, and 100% pixel for pixel", async () => {
  const { page, consoleErrors } = await visitPreview(fixture, "preview-zoom/large.svg");
  // 640 of 1,600 pixels: the window without the header, the nearby files and the margins.
  await percent(page, "40%");
  await page.getByRole("button", { name: "Fit to window", pressed: true }).waitFor();
  await waitForFocus(page);
  await page.keyboard.press("1");
  await percent(page, "100%");
  expect(await shownWidth(page)).toBe(2_400);
  await page.keyboard.press("0");
  await percent(page, "40%");
  await page.getByRole("button", { name: "Actual size" }).click();
  await page.getByRole("button", { name: "Actual size", pressed: true }).waitFor();
  await page.getByRole("button", { name: "Fit to window" }).click();
  await percent(page, "40%");
  await page.mouse.dblclick(640, 400);
  await percent(page, "100%");
  await page.mouse.dblclick(640, 400);
  await percent(page, "40%");
  expect(consoleErrors).toEqual([]);
});

test("counts the pixels of a dense screen", async () => {
  const { page } = await visitPreview(fixture, "preview-zoom/large.svg", { device: "dense" });
  await percent(page, "80%");
  await waitForFocus(page);
  await page.keyboard.press("1");
  await percent(page, "100%");
  expect(await shownWidth(page)).toBe(2_400);
  const left = await page.evaluate(
    () => (document.querySelector("dialog img")?.getBoundingClientRect().left ?? 0) * 2,
  );
  expect(left).toBe(Math.round(left));
});

test("does not enlarge a small picture, and follows the size of the window", async () => {
  const { page } = await visitPreview(fixture, "preview-zoom/small.svg");
  await percent(page, "100%");
  expect(await shownWidth(page)).toBe(100);
  await page.getByRole("button", { name: "Next" }).waitFor();
  await page.keyboard.press("ArrowRight");
  await percent(page, "16%");
  await page.setViewportSize({ width: 832, height: 600 });
  await percent(page, "10%");
  expect(await shownWidth(page)).toBe(800);
});

test("pictures, videos and audio files have a dark background in the light theme", async () => {
  const { page } = await visitPreview(fixture, "preview-zoom/wide.svg", { theme: "light" });
  for (const [name, kind] of [
    ["wide.svg", "img"],
    ["x.mp4", "video"],
    ["y.wav", "audio"],
  ] as const) {
    await previewOf(page, name).waitFor();
    const content = page.locator("dialog [data-content]", { has: page.locator(kind) });
    await content.waitFor();
    expect(await content.evaluate((element) => getComputedStyle(element).backgroundColor)).toBe(
      "rgb(11, 12, 14)",
    );
    await waitForFocus(page);
    await page.keyboard.press("ArrowRight");
  }
});
