import { afterEach, beforeAll, expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { eventually } from "../test/expectations.ts";
import { closeVisits } from "./browser.ts";
import type { BrowserFixture } from "./browser-fixture.ts";
import { landscapeSvg } from "./landscape-svg.ts";
import { previewOf, visitPreview, waitForFocus } from "./preview-page.ts";
import { createPdf, createWav } from "./sample-media.ts";
import { sharedFixture } from "./shared-fixture.ts";

let fixture: BrowserFixture;
beforeAll(async () => {
  fixture = await sharedFixture();
  const { seed } = fixture;
  await seed.file("preview-keys/a.svg", landscapeSvg(1));
  await seed.file("preview-keys/b.txt", "A line of text.\n".repeat(2_000));
  await seed.file("preview-keys/c.pdf", createPdf(24));
  await seed.file("preview-keys/d.wav", createWav(60));
  // Sound is enough of a video: browsers look at the content, not at its name.
  await seed.file("preview-keys/e.mp4", createWav(60));
  await seed.file("preview-keys/f.bin", new Uint8Array(10));
});
afterEach(closeVisits);

const scrollTop = (page: Page) =>
  page.evaluate(() => document.querySelector("dialog [data-content]")?.scrollTop ?? 0);
const waitUntilScrolled = (page: Page, by: number) =>
  page.waitForFunction(
    (by) => (document.querySelector("dialog [data-content]")?.scrollTop ?? 0) > by,
    by,
  );

/** Plays and pauses with the keyboard, from the moment at which the file is open. */
async function playAndPause(page: Page, kind: "audio" | "video"): Promise<void> {
  await waitForFocus(page);
  const media = page.locator(`dialog ${kind}`);
  const isPaused = () => media.evaluate((element: HTMLMediaElement) => element.paused);
  await eventually("it can be played", () =>
    media.evaluate((element: HTMLMediaElement) => element.readyState > 1),
  );
  expect(await isPaused()).toBe(true);
  await page.keyboard.press("Space");
  await eventually("it plays", async () => !(await isPaused()));
  await page.keyboard.press("Space");
  await eventually("it is paused", isPaused);
}

test("keys scroll a text as soon as it is open", async () => {
  const { page } = await visitPreview(fixture, "preview-keys/b.txt");
  await waitForFocus(page);
  await previewOf(page, "b.txt").getByText("A line of text.").first().waitFor();
  await page.keyboard.press("PageDown");
  await waitUntilScrolled(page, 100);
  const before = await scrollTop(page);
  await page.keyboard.press("End");
  await waitUntilScrolled(page, before + 5_000);
});

test("scrolls a PDF to its last page and never out of the window", async () => {
  const { page } = await visitPreview(fixture, "preview-keys/c.pdf");
  await page.locator("[data-drawn]").first().waitFor();
  await waitForFocus(page);
  await page.keyboard.press("End");
  await page.locator('[aria-label="Page 24 of 24"][data-drawn]').waitFor();
  await page.mouse.move(640, 400);
  await page.mouse.wheel(0, 20_000);
  await page.keyboard.press("PageDown");
  const sizes = await page.evaluate(() => {
    const dialog = document.querySelector("dialog[data-preview]");
    return [dialog?.scrollHeight, dialog?.scrollTop, dialog?.clientHeight];
  });
  expect(sizes).toEqual([800, 0, 800]);
  const close = await page.getByRole("button", { name: "Close" }).boundingBox();
  expect(close?.y).toBeLessThan(56);
});

test("arrows go through the files, whatever they are, and Space plays", async () => {
  const { page, consoleErrors } = await visitPreview(fixture, "preview-keys/a.svg");
  for (const name of ["b.txt", "c.pdf", "d.wav"]) {
    await waitForFocus(page);
    await page.keyboard.press("ArrowRight");
    await previewOf(page, name).waitFor();
  }
  await playAndPause(page, "audio");
  await page.keyboard.press("ArrowRight");
  await previewOf(page, "e.mp4").waitFor();
  await playAndPause(page, "video");
  await page.keyboard.press("ArrowRight");
  await previewOf(page, "f.bin").waitFor();
  await waitForFocus(page);
  await page.keyboard.press("ArrowLeft");
  await previewOf(page, "e.mp4").waitFor();
  expect(consoleErrors).toEqual([]);
});

test("a button that was reached by keyboard keeps the focus, a clicked one passes it on", async () => {
  const { page } = await visitPreview(fixture, "preview-keys/a.svg");
  await waitForFocus(page);
  const next = page.getByRole("button", { name: "Next" });
  await next.click();
  await previewOf(page, "b.txt").waitFor();
  await waitForFocus(page);
  // The content comes after the header, whose last buttons are for the file.
  for (let at = 0; at < 12; at += 1) {
    await page.keyboard.press("Shift+Tab");
    if (await next.evaluate((button) => button === document.activeElement)) break;
  }
  await page.keyboard.press("Enter");
  await previewOf(page, "c.pdf").waitFor();
  await page.locator("[data-drawn]").first().waitFor();
  await page.keyboard.press("Enter");
  await previewOf(page, "d.wav").waitFor();
});

test("the content has the focus again after a dialog", async () => {
  await fixture.seed.file("preview-rename/a.txt");
  const { page } = await visitPreview(fixture, "preview-rename/a.txt");
  await waitForFocus(page);
  await page.keyboard.press("F2");
  await page.getByRole("textbox", { name: "Name" }).fill("b.txt");
  await page.keyboard.press("Enter");
  await previewOf(page, "b.txt").waitFor();
  await page.getByRole("dialog", { name: "Rename" }).waitFor({ state: "detached" });
  await waitForFocus(page);
});
