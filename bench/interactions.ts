import type { Page } from "playwright-core";
import { visit } from "../e2e/browser.ts";
import type { DashboardSite } from "./dashboard-site.ts";
import { type Figure, median } from "./figure.ts";

declare global {
  interface Window {
    /** Duration of each event, in ms. */
    seen: number[];
  }
}

const RUNS = 7;
const BAR_MS = 100;
/** Event Timing omits faster events. */
const MIN_EVENT_MS = 16;

/** Time from a key press or click to the next paint (Event Timing), with all files loaded. */
export async function interactions({ url, cookies }: DashboardSite): Promise<Figure[]> {
  const { page, context } = await visit(url, { width: 1280, height: 900 });
  await context.addCookies(cookies);
  await page.goto("/files/top/0/0");
  const list = page.getByRole("grid");
  await list.focus();
  const read = performance.now();
  await page.keyboard.press("Control+a");
  await page.getByText("10,000 selected").first().waitFor();
  const readMs = performance.now() - read;
  await page.keyboard.press("Escape");
  await watch(page);

  const rows = page.getByRole("row");
  const measured: [string, number[]][] = [];
  const measure = async (what: string, action: (run: number) => Promise<unknown>) => {
    const times: number[] = [];
    for (let run = 0; run < RUNS; run += 1) times.push(await slowest(page, () => action(run)));
    measured.push([what, times]);
  };
  await measure("choose a file", (run) => rows.nth(3 + run).click({ position: { x: 500, y: 20 } }));
  await measure("arrow key", () => page.keyboard.press("ArrowDown"));
  await measure("page down", () => page.keyboard.press("PageDown"));
  await measure("end and home", (run) => page.keyboard.press(run % 2 === 0 ? "End" : "Home"));
  await page.keyboard.press("Home");
  await measure("choose all and none", (run) =>
    page.keyboard.press(run % 2 === 0 ? "Control+a" : "Escape"),
  );
  await page.keyboard.press("Escape");
  await measure("choose a range", (run) =>
    rows.nth(4 + run).click({ position: { x: 500, y: 20 }, modifiers: ["Shift"] }),
  );
  await page.keyboard.press("Escape");
  await measure("open the menu", async () => {
    await rows.nth(5).click({ button: "right", position: { x: 500, y: 20 } });
    await page.getByRole("menu").waitFor();
  });
  await page.keyboard.press("Escape");
  await page.keyboard.press("Escape");
  const search = page.getByRole("searchbox");
  await search.focus();
  await measure("type in the search", () => page.keyboard.press("f"));
  await page.waitForTimeout(500);
  await search.fill("");
  await page.getByRole("button", { name: "Size" }).waitFor();
  await measure("order by size", async (run) => {
    const first = await rows.nth(1).textContent();
    await page.getByRole("button", { name: run % 2 === 0 ? "Size" : "Type", exact: true }).click();
    await page.waitForFunction(
      (before) => document.querySelectorAll("[role=row]")[1]?.textContent !== before,
      first,
    );
  });
  await context.close();
  return [
    { what: "10,000 files: load and select all", value: readMs, unit: "ms" },
    ...measured.map(([what, times]) => ({
      what: `10,000 files: ${what}, to the next paint, median`,
      value: median(times),
      unit: "ms",
      bar: BAR_MS,
    })),
    {
      what: "10,000 files: the slowest of all these",
      value: Math.max(...measured.flatMap(([, times]) => times)),
      unit: "ms",
    },
  ];
}

/** Makes the page record event durations, from input to paint. */
async function watch(page: Page): Promise<void> {
  await page.evaluate(() => {
    window.seen = [];
    const options = { type: "event", durationThreshold: 16 };
    new PerformanceObserver((list) => {
      for (const { duration } of list.getEntries()) window.seen.push(duration);
    }).observe(options);
  });
}

/** The slowest event of the action, in ms. */
async function slowest(page: Page, action: () => Promise<unknown>): Promise<number> {
  await page.evaluate(() => {
    window.seen = [];
  });
  await action();
  await page.evaluate(async () => {
    for (let frames = 0; frames < 3; frames += 1) await new Promise(requestAnimationFrame);
    await new Promise((resolve) => setTimeout(resolve, 50));
  });
  const seen = await page.evaluate(() => window.seen);
  return Math.max(MIN_EVENT_MS, ...seen);
}
