import { readFileSync } from "node:fs";
import type { Page } from "playwright-core";
import { openBrowser, visit } from "../e2e/browser.ts";
import type { DashboardSite } from "./dashboard-site.ts";
import { type Figure, median } from "./figure.ts";

const FOLDER = "/files/top/0/0";
const SECONDS = 5;
/** Pixels per second: several screens. */
const SPEED = 6_000;

/** A folder of 100,000 files: time to the first rows, and scrolling. */
export async function longFolder({ url, cookies }: DashboardSite): Promise<Figure[]> {
  const firstRows: number[] = [];
  for (let run = 0; run < 5; run += 1) {
    const { page, context } = await visit(url);
    await context.addCookies(cookies);
    const started = performance.now();
    await page.goto(FOLDER, { waitUntil: "commit" });
    await page.getByRole("row").nth(1).waitFor();
    firstRows.push(performance.now() - started);
    await context.close();
  }

  const { page, context } = await visit(url, { width: 1280, height: 900 });
  await context.addCookies(cookies);
  await page.goto(FOLDER);
  await page.getByRole("row").nth(1).waitFor();
  const reading = await scroll(page, SPEED * SECONDS);
  const all = performance.now();
  await page.getByRole("grid").focus();
  await page.keyboard.press("Control+a");
  await page.getByText("100,000 selected").first().waitFor({ timeout: 120_000 });
  const readAll = performance.now() - all;
  await page.keyboard.press("Escape");
  await page.keyboard.press("Home");
  const whole = await scroll(page, SPEED * SECONDS);
  const jump = await jumps(page);
  const memory = await memoryOf(page);
  await context.close();

  const what = (of: string) => `100,000 files: ${of}`;
  return [
    {
      what: what("first rows, cold cache, median of 5"),
      value: median(firstRows),
      unit: "ms",
      bar: 1000,
    },
    ...scrolled("scrolling while it is read", reading),
    { what: what("load and select all"), value: readAll, unit: "ms" },
    ...scrolled("scrolling when all is read", whole),
    {
      what: what("jump until rows are visible, median"),
      value: median(jump),
      unit: "ms",
      bar: 100,
    },
    { what: what("memory of the tab's scripts"), value: memory.heap, unit: "MB" },
    { what: what("memory of the tab's process"), value: memory.process, unit: "MB" },
  ];
}

declare global {
  interface Window {
    /** Frame statistics while recording. */
    watch: Scrolled & { on: boolean };
  }
}

interface Scrolled {
  frames: number;
  /** Frames longer than 50 ms. */
  long: number;
  longest: number;
  /** Longest time without a row in the middle of the list, in ms. */
  blank: number;
}

function scrolled(how: string, { frames, long, longest, blank }: Scrolled): Figure[] {
  const what = (of: string) => `100,000 files: ${how}, ${of}`;
  return [
    { what: what(`of ${frames}, longer than 50 ms`), value: long, unit: "frames" },
    { what: what("longest frame"), value: longest, unit: "ms" },
    { what: what("longest without rows"), value: blank, unit: "ms", bar: 100 },
  ];
}

/** Scrolls by a synthesized gesture while the page records each frame. */
async function scroll(page: Page, distance: number): Promise<Scrolled> {
  const session = await page.context().newCDPSession(page);
  await page.evaluate(() => {
    const list = document.querySelector("[role=grid]")?.getBoundingClientRect() ?? new DOMRect();
    const watch = { frames: 0, long: 0, longest: 0, blank: 0, on: true };
    window.watch = watch;
    let last = performance.now();
    const frame = (now: number) => {
      const took = now - last;
      last = now;
      watch.frames += 1;
      if (took > 50) watch.long += 1;
      watch.longest = Math.max(watch.longest, took);
      if (watch.on) requestAnimationFrame(frame);
    };
    // Runs before the list re-renders: sees what was visible since the last frame.
    const onScroll = () => {
      const middle = document.elementFromPoint(list.x + list.width / 2, list.y + list.height / 2);
      const hasRow = middle !== null && middle.closest("[role=row]") !== null;
      if (!hasRow) watch.blank = Math.max(watch.blank, performance.now() - last);
    };
    document.addEventListener("scroll", onScroll, { capture: true });
    requestAnimationFrame(frame);
  });
  const box = (await page.getByRole("grid").boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 };
  await session.send("Input.synthesizeScrollGesture", {
    x: box.x + box.width / 2,
    y: box.y + box.height / 2,
    yDistance: -distance,
    speed: SPEED,
    gestureSourceType: "mouse",
  });
  return page.evaluate(() => {
    window.watch.on = false;
    return window.watch;
  });
}

/** Jumps as if the scroll bar were dragged; returns ms until rows are painted. */
const jumps = (page: Page): Promise<number[]> =>
  page.evaluate(async () => {
    const list = document.querySelector("[role=grid]");
    const times: number[] = [];
    if (list === null) return times;
    const { x, y, width, height } = list.getBoundingClientRect();
    for (let run = 1; run <= 9; run += 1) {
      const started = performance.now();
      list.scrollTop = (list.scrollHeight * ((run * 0.37) % 1)) | 0;
      do await new Promise(requestAnimationFrame);
      while (
        document.elementFromPoint(x + width / 2, y + height / 2)?.closest("[role=row]") == null
      );
      times.push(performance.now() - started);
    }
    return times;
  });

/** Memory of the tab in MB: JavaScript heap and renderer process. */
async function memoryOf(page: Page): Promise<{ heap: number; process: number }> {
  const session = await page.context().newCDPSession(page);
  await session.send("HeapProfiler.collectGarbage");
  await session.send("Performance.enable");
  const { metrics } = await session.send("Performance.getMetrics");
  const heap = metrics.find(({ name }) => name === "JSHeapUsedSize")?.value ?? Number.NaN;
  const whole = await (await openBrowser()).newBrowserCDPSession();
  const { processInfo } = await whole.send("SystemInfo.getProcessInfo");
  const renderers = processInfo
    .filter(({ type }) => type === "renderer")
    .map(({ id }) => /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${id}/status`, "utf8"))?.[1]);
  return { heap: heap / 1e6, process: (Math.max(...renderers.map(Number)) * 1024) / 1e6 };
}
