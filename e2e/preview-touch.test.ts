import { afterEach, beforeAll, expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { eventually } from "../test/expectations.ts";
import { closeVisits } from "./browser.ts";
import type { BrowserFixture } from "./browser-fixture.ts";
import { landscapeSvg } from "./landscape-svg.ts";
import { previewOf, visitPreview, waitForFocus } from "./preview-page.ts";
import { createPdf, createWav } from "./sample-media.ts";
import { sharedFixture } from "./shared-fixture.ts";
import { drag, pinch } from "./touch-gestures.ts";

let fixture: BrowserFixture;
beforeAll(async () => {
  fixture = await sharedFixture();
  const { seed } = fixture;
  await seed.file("preview-touch/a.svg", landscapeSvg(1));
  await seed.file("preview-touch/b.svg", landscapeSvg(2));
  await seed.file("preview-touch/c.txt", "A line of text.\n".repeat(200));
  await seed.file("preview-touch/d.ts", `// ${"A long line. ".repeat(200)}\n`);
  await seed.file("preview-touch/e.wav", createWav());
  await seed.file("preview-touch/f.pdf", createPdf(3));
});
afterEach(closeVisits);

const PHONE = { device: "phone", width: 390, height: 800 } as const;
const CENTER = { x: 195, y: 400 };
const LEFT = { x: 60, y: 410 };
const RIGHT = { x: 330, y: 400 };

const percent = (page: Page) => page.getByRole("status", { name: "Zoom" });
const waitForPercent = (page: Page, test: (percent: number) => boolean) =>
  eventually("the zoom is shown", async () =>
    test(Number.parseInt((await percent(page).textContent()) ?? "", 10)),
  );

/** Waits until the image can be zoomed. */
async function openPicture(name: string): Promise<Page> {
  const { page } = await visitPreview(fixture, `preview-touch/${name}`, PHONE);
  await percent(page).getByText("%").waitFor();
  return page;
}

test("a swipe shows the next or the previous file, whatever it is", async () => {
  const page = await openPicture("a.svg");
  await drag(page, LEFT, RIGHT);
  await drag(page, RIGHT, LEFT);
  await previewOf(page, "b.svg").waitFor();
  await percent(page).getByText("%").waitFor();
  await drag(page, RIGHT, LEFT);
  await previewOf(page, "c.txt").waitFor();
  await page.getByText("A line of text.").first().waitFor();
  await drag(page, RIGHT, LEFT);
  await previewOf(page, "d.ts").waitFor();
  await page.getByText("A long line.").first().waitFor();
  await page.getByRole("button", { name: "Next" }).tap();
  await previewOf(page, "e.wav").waitFor();
  await waitForFocus(page);
  await drag(page, { x: 60, y: 650 }, { x: 330, y: 650 });
  await previewOf(page, "d.ts").waitFor();
});

test("a swipe scrolls content that is wider than the window", async () => {
  const { page } = await visitPreview(fixture, "preview-touch/d.ts", PHONE);
  await page.getByText("A long line.").first().waitFor();
  await drag(page, RIGHT, LEFT);
  await page.waitForFunction(
    () => (document.querySelector("dialog [data-content]")?.scrollLeft ?? 0) > 100,
  );
  await previewOf(page, "d.ts").waitFor();
});

test("two fingers zoom a picture, and one then moves it instead of leaving it", async () => {
  const page = await openPicture("a.svg");
  const picture = page.getByRole("img", { name: "a.svg" });
  const fitted = Number.parseInt((await percent(page).textContent()) ?? "", 10);
  await pinch(page, CENTER, 60, 240);
  await waitForPercent(page, (percent) => percent > fitted * 3 && percent < fitted * 5);
  const before = await picture.boundingBox();
  await drag(page, RIGHT, LEFT);
  await eventually("it has moved", async () => {
    const after = await picture.boundingBox();
    return (after?.x ?? 0) < (before?.x ?? 0) - 200;
  });
  await previewOf(page, "a.svg").waitFor();
  await pinch(page, CENTER, 300, 30);
  await waitForPercent(page, (percent) => percent === fitted);
  await page.getByRole("button", { name: "Fit to window", pressed: true }).waitFor();
});

test("two fingers zoom the pages of a PDF around their middle, and one then scrolls them", async () => {
  const { page } = await visitPreview(fixture, "preview-touch/f.pdf", PHONE);
  const first = page.getByRole("group", { name: "Page 1 of 3" });
  await first.locator("canvas").waitFor();
  /** The point of the page at the middle of the fingers, in parts of its size. */
  const pointAtCenter = () =>
    first.evaluate((element, { x, y }) => {
      const { left, top, width, height } = element.getBoundingClientRect();
      return [(x - left) / width, (y - top) / height] as const;
    }, CENTER);
  const isSharp = () =>
    first.evaluate((element) => {
      const width = element.querySelector("canvas")?.width ?? 0;
      return Math.abs(width - element.clientWidth) < 2;
    });
  const fitted = Number.parseInt((await percent(page).textContent()) ?? "", 10);
  const [x, y] = await pointAtCenter();
  await pinch(page, CENTER, 60, 180);
  await waitForPercent(page, (percent) => Math.abs(percent - fitted * 3) < 3);
  const [zoomedX, zoomedY] = await pointAtCenter();
  expect(zoomedX).toBeCloseTo(x, 2);
  expect(zoomedY).toBeCloseTo(y, 2);
  await eventually("the picture is sharp", isSharp);
  expect(await page.evaluate(() => window.visualViewport?.scale)).toBe(1);
  await drag(page, RIGHT, LEFT);
  await eventually("it has moved", async () => (await pointAtCenter())[0] > zoomedX + 0.1);
  await previewOf(page, "f.pdf").waitFor();
  await pinch(page, CENTER, 300, 100);
  await waitForPercent(page, (percent) => Math.abs(percent - fitted) < 3);
  await eventually("the picture is sharp", isSharp);
  await drag(page, LEFT, RIGHT);
  await previewOf(page, "e.wav").waitFor();
});

test("dragging a picture down closes the preview, and a short way does not", async () => {
  const page = await openPicture("b.svg");
  await drag(page, CENTER, { x: 200, y: 450 });
  await drag(page, { x: 195, y: 200 }, { x: 200, y: 140 });
  await previewOf(page, "b.svg").waitFor();
  await drag(page, { x: 195, y: 200 }, { x: 205, y: 500 });
  await previewOf(page, "b.svg").waitFor({ state: "detached" });
  await page.getByRole("grid").waitFor();
});

test("dragging a text down scrolls it", async () => {
  const { page } = await visitPreview(fixture, "preview-touch/c.txt", PHONE);
  await page.getByText("A line of text.").first().waitFor();
  const scrolled = (by: number) =>
    page.waitForFunction(
      (by) => (document.querySelector("dialog [data-content]")?.scrollTop ?? 0) > by,
      by,
    );
  await drag(page, { x: 195, y: 700 }, { x: 200, y: 200 });
  await scrolled(200);
  await drag(page, { x: 195, y: 200 }, { x: 200, y: 350 });
  await previewOf(page, "c.txt").waitFor();
});
