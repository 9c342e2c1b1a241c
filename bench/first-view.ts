import type { Page } from "playwright-core";
import { visit } from "../e2e/browser.ts";
import { transferredBytes } from "../e2e/transferred-bytes.ts";
import type { DashboardSite } from "./dashboard-site.ts";
import { type Figure, median } from "./figure.ts";

const RUNS = 5;

/** Time until the files page shows something, with a cold and a warm browser cache. */
export async function firstView({ url, cookies }: DashboardSite): Promise<Figure[]> {
  const cold: number[] = [];
  const warm: number[] = [];
  const rows: number[] = [];
  let scripts = 0;
  let all = 0;
  for (let run = 0; run < RUNS; run += 1) {
    const { page, context } = await visit(url);
    await context.addCookies(cookies);
    cold.push(await open(page));
    rows.push(await rowsAt(page));
    scripts = await scriptBytes(page);
    all = await transferredBytes(page);
    warm.push(await open(page));
    await context.close();
  }
  const what = (of: string) => `Files page: ${of}`;
  return [
    {
      what: what("first paint, cold cache, median of 5"),
      value: median(cold),
      unit: "ms",
      bar: 500,
    },
    {
      what: what("first paint, warm cache, median of 5"),
      value: median(warm),
      unit: "ms",
      bar: 500,
    },
    { what: what("first rows, cold cache, median of 5"), value: median(rows), unit: "ms" },
    {
      what: what("compressed script of the first view"),
      value: scripts / 1000,
      unit: "KB",
      bar: 150,
    },
    {
      what: what("everything that the first view transfers, with headers"),
      value: all / 1000,
      unit: "KB",
      bar: 200,
    },
  ];
}

/** Opens the files page and returns the first contentful paint, in ms after navigation. */
async function open(page: Page): Promise<number> {
  await page.goto("/files");
  await page.getByRole("row").nth(1).waitFor();
  await page.waitForLoadState("networkidle");
  return page.evaluate(
    () => performance.getEntriesByName("first-contentful-paint")[0]?.startTime ?? Number.NaN,
  );
}

/** Approximate time at which the first rows had arrived and were painted. */
const rowsAt = (page: Page): Promise<number> =>
  page.evaluate(() => {
    const answers = performance
      .getEntriesByType("resource")
      .filter(({ name }) => name.includes("/api/folders?"));
    return Math.max(...answers.map((each) => each.startTime + each.duration));
  });

/** Transferred size of all scripts, in bytes. */
const scriptBytes = (page: Page): Promise<number> =>
  page.evaluate(() =>
    performance
      .getEntriesByType("resource")
      .filter((each) => each instanceof PerformanceResourceTiming)
      .filter(({ name }) => new URL(name).pathname.endsWith(".js"))
      .reduce((sum, { encodedBodySize }) => sum + encodedBodySize, 0),
  );
