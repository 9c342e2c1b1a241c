import type { Page } from "playwright-core";

/** What the page and its resources have transferred so far, headers included, in bytes. Cached ones count 0. */
export const transferredBytes = (page: Page): Promise<number> =>
  page.evaluate(() =>
    [
      ...performance.getEntriesByType("navigation"),
      ...performance.getEntriesByType("resource"),
    ].reduce(
      (sum, each) => sum + (each instanceof PerformanceResourceTiming ? each.transferSize : 0),
      0,
    ),
  );
