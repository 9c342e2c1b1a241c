import { afterEach, beforeAll, expect, test } from "bun:test";
import { eventually } from "../test/expectations.ts";
import { axeViolations } from "./axe-violations.ts";
import { closeVisits } from "./browser.ts";
import type { BrowserFixture } from "./browser-fixture.ts";
import { previewOf, visitPreview, waitForFocus } from "./preview-page.ts";
import { createPdf } from "./sample-media.ts";
import { sharedFixture } from "./shared-fixture.ts";

let fixture: BrowserFixture;
beforeAll(async () => {
  fixture = await sharedFixture();
  await fixture.seed.file("preview-pdf/report.pdf", createPdf(24));
  await fixture.seed.file("preview-pdf/damaged.pdf", "%PDF-1.4 and nothing else");
  await fixture.seed.file("preview-pdf/sub/z.txt");
});
afterEach(closeVisits);

test("a PDF has a page number and zoom", async () => {
  const { page, consoleErrors } = await visitPreview(fixture, "preview-pdf/report.pdf");
  const number = page.getByRole("status", { name: "Page" });
  const zoom = page.getByRole("status", { name: "Zoom" });
  await number.getByText("1 / 24").waitFor();
  await waitForFocus(page);
  await page.keyboard.press("End");
  await number.getByText("24 / 24").waitFor();
  // A key that comes while the browser still scrolls may be lost.
  await page.waitForFunction(() => {
    const area = document.querySelector("dialog [data-content]");
    return area !== null && area.scrollTop + area.clientHeight >= area.scrollHeight - 1;
  });
  await page.keyboard.press("Home");
  await number.getByText("1 / 24").waitFor();
  // 900 pixels for 595 points of 96/72 pixels.
  await zoom.getByText("113%").waitFor();
  await page.keyboard.press("+");
  await zoom.getByText("142%").waitFor();
  const drawn = page.getByRole("group", { name: "Page 1 of 24" });
  await page.waitForFunction(
    () => document.querySelector("dialog [data-page]")?.getBoundingClientRect().width === 1_125,
  );
  await drawn.locator("canvas").waitFor();
  await page.getByRole("button", { name: "Fit to window" }).click();
  await zoom.getByText("113%").waitFor();
  // Without scrolling, other pages get into the middle.
  for (let step = 0; step < 6; step += 1) {
    await page.getByRole("button", { name: "Zoom out" }).click();
  }
  await number.getByText("2 / 24").waitFor();
  expect(consoleErrors).toEqual([]);
});

test("the wheel zooms a PDF with Ctrl, around the mouse, and scrolls it without", async () => {
  const { page } = await visitPreview(fixture, "preview-pdf/report.pdf", { width: 700 });
  const zoom = page.getByRole("status", { name: "Zoom" });
  const third = page.getByRole("group", { name: "Page 3 of 24" });
  await zoom.getByText("84%").waitFor();
  await third.evaluate((element) => element.scrollIntoView());
  await third.locator("canvas").waitFor();
  const mouse = { x: 200, y: 400 };
  const pointAtMouse = () =>
    third.evaluate((element, { x, y }) => {
      const { left, top, width, height } = element.getBoundingClientRect();
      return [(x - left) / width, (y - top) / height] as const;
    }, mouse);
  const [x, y] = await pointAtMouse();
  await page.mouse.move(mouse.x, mouse.y);
  await page.keyboard.down("Control");
  await page.mouse.wheel(0, -100);
  await zoom.getByText("108%").waitFor();
  await page.mouse.wheel(0, -100);
  await zoom.getByText("139%").waitFor();
  await page.keyboard.up("Control");
  const [zoomedX, zoomedY] = await pointAtMouse();
  expect(zoomedX).toBeCloseTo(x, 2);
  expect(zoomedY).toBeCloseTo(y, 2);
  await eventually("it is drawn in its new size", () =>
    third.evaluate((element) => {
      const width = element.querySelector("canvas")?.width ?? 0;
      return Math.abs(width - element.clientWidth) < 2;
    }),
  );
  await page.mouse.wheel(0, 200);
  await eventually("it is scrolled", async () => (await pointAtMouse())[1] > zoomedY + 0.05);
  await zoom.getByText("139%").waitFor();
});

test("the text of a PDF can be selected, where it is drawn", async () => {
  const { page } = await visitPreview(fixture, "preview-pdf/report.pdf");
  const text = previewOf(page, "report.pdf").getByText("Page 1", { exact: true });
  await text.waitFor();
  const box = await text.boundingBox();
  if (box === null) throw new Error("The text is not in view.");
  // 48 points high, 72 from the left.
  expect(box.height).toBeGreaterThan(50);
  await page.mouse.dblclick(box.x + 20, box.y + box.height / 2);
  await page.waitForFunction(() => document.getSelection()?.toString().trim() === "Page");
});

test("the title of the tab names the folder and the file", async () => {
  const { page } = await visitPreview(fixture, "preview-pdf/report.pdf");
  await page.waitForFunction(() => document.title === "report.pdf · preview-pdf · Holdall");
  await page.keyboard.press("Escape");
  await page.waitForFunction(() => document.title === "preview-pdf · Holdall");
  await page.goto("/files");
  await page.waitForFunction(() => document.title === "Files · Holdall");
});

test("pages keep their height when they leave the view, so that those below do not move", async () => {
  const { page } = await visitPreview(fixture, "preview-pdf/report.pdf");
  const first = page.getByRole("group", { name: "Page 1 of 24" });
  const last = page.getByRole("group", { name: "Page 24 of 24" });
  await first.locator("canvas").waitFor();
  const heightOf = (each: typeof first) =>
    each.evaluate((element) => element.getBoundingClientRect().height);
  expect(await heightOf(first), "drawn or not").toBe(await heightOf(last));
  const isStill = await page.evaluate(async () => {
    const area = document.querySelector("dialog [data-content]");
    const [first] = document.querySelectorAll<HTMLElement>("dialog [data-page]");
    if (area === null || first === undefined) throw new Error("There are no pages.");
    const heights = new Set<number>();
    const observer = new ResizeObserver(() => heights.add(Math.round(first.offsetHeight)));
    observer.observe(first);
    area.scrollTo({ top: 4 * first.offsetHeight });
    const end = performance.now() + 2000;
    while (first.querySelector("canvas") !== null && performance.now() < end) {
      await new Promise(requestAnimationFrame);
    }
    await new Promise(requestAnimationFrame);
    await new Promise(requestAnimationFrame);
    observer.disconnect();
    return first.querySelector("canvas") === null && heights.size === 1;
  });
  expect(isStill).toBe(true);
});

test("text is found in a PDF on all its pages, by keyboard", async () => {
  const { page, consoleErrors } = await visitPreview(fixture, "preview-pdf/report.pdf");
  const number = page.getByRole("status", { name: "Page" });
  const matches = page.getByRole("status", { name: "Matches" });
  const found = () =>
    page.evaluate(() => [...(CSS.highlights.get("found-current") ?? [])].map(String));
  await number.getByText("1 / 24").waitFor();
  await page.keyboard.press("Control+f");
  const field = page.getByRole("searchbox", { name: "Find in the document" });
  await field.fill("pÁGE 2");
  // Page 2, and pages 20 to 24.
  await matches.getByText("1 of 6").waitFor();
  await number.getByText("2 / 24").waitFor();
  await eventually("the match is highlighted", async () => (await found())[0] === "Page 2");
  expect(await axeViolations(page)).toEqual([]);
  await page.keyboard.press("Enter");
  await matches.getByText("2 of 6").waitFor();
  await number.getByText("20 / 24").waitFor();
  await page.keyboard.press("Shift+Enter");
  await page.keyboard.press("Shift+Enter");
  await matches.getByText("6 of 6").waitFor();
  await number.getByText("24 / 24").waitFor();
  await eventually("the match is highlighted", async () => (await found())[0] === "Page 2");
  // Delete belongs to the field, not to the file.
  await page.keyboard.press("Delete");
  await field.fill("nowhere");
  await matches.getByText("No matches").waitFor();
  await page.keyboard.press("Escape");
  await field.waitFor({ state: "detached" });
  await previewOf(page, "report.pdf").waitFor();
  await waitForFocus(page);
  expect(await found()).toEqual([]);
  await page.getByRole("button", { name: "Find in the document" }).click();
  await field.fill("Page 24");
  await matches.getByText("1 of 1").waitFor();
  expect(consoleErrors).toEqual([]);
});

test("the browser keeps its search under a dialog, and if a PDF cannot be shown", async () => {
  const { page } = await visitPreview(fixture, "preview-pdf/report.pdf");
  /** Whether the browser still gets the keys of its search. */
  const reachesBrowser = async () => {
    const pressed = page.evaluate(
      () =>
        new Promise<boolean>((resolve) => {
          const handle = (event: KeyboardEvent) => {
            if (event.key !== "f") return;
            window.removeEventListener("keydown", handle, true);
            resolve(!event.defaultPrevented);
          };
          window.addEventListener("keydown", handle, true);
          document.body.dataset.listening = "";
        }),
    );
    await page.locator("body[data-listening]").waitFor();
    await page.keyboard.press("Control+f");
    await page.evaluate(() => delete document.body.dataset.listening);
    return pressed;
  };
  const field = page.getByRole("searchbox", { name: "Find in the document" });
  await page.getByRole("status", { name: "Page" }).getByText("1 / 24").waitFor();
  await waitForFocus(page);
  await page.keyboard.press("F2");
  const rename = page.getByRole("dialog", { name: "Rename" });
  await rename.waitFor();
  expect(await reachesBrowser()).toBe(true);
  expect(await field.count()).toBe(0);
  await page.keyboard.press("Escape");
  await rename.waitFor({ state: "detached" });
  expect(await reachesBrowser()).toBe(false);
  await field.waitFor();
  await page.keyboard.press("Escape");
  await page.getByRole("button", { name: "Previous" }).click();
  await previewOf(page, "damaged.pdf")
    .getByText("This PDF can't be shown. It is probably damaged")
    .waitFor();
  expect(await reachesBrowser()).toBe(true);
});
