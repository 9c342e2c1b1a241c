import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import type { AxeResults, RunOptions } from "axe-core";
import type { Page } from "playwright-core";

const source = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

/**
 * What axe finds wrong with the page as it is now, or with a part of it, in both themes: its rule,
 * and where. A theme is nothing but colours, so the other one is asked about colours alone.
 */
export async function barriers(page: Page, part = "html"): Promise<string[]> {
  const isDark = await page.evaluate(() => matchMedia("(prefers-color-scheme: dark)").matches);
  const [theme, other] = isDark ? (["dark", "light"] as const) : (["light", "dark"] as const);
  // Colours that are on their way are those of neither theme.
  await page.emulateMedia({ reducedMotion: "reduce" });
  const all = await run(page, part, { resultTypes: ["violations"] });
  await page.emulateMedia({ colorScheme: other });
  const colours = await run(page, part, {
    resultTypes: ["violations"],
    runOnly: { type: "rule", values: ["color-contrast"] },
  });
  await page.emulateMedia({ colorScheme: theme });
  return [...all, ...colours.map((each) => `${other}: ${each}`)];
}

async function run(page: Page, part: string, options: RunOptions): Promise<string[]> {
  // Evaluated from outside, the page's policy does not keep it away.
  if (!(await page.evaluate(() => "axe" in window))) await page.evaluate(source);
  const { violations } = await page.evaluate(
    ([selector, given]): Promise<AxeResults> => Reflect.get(window, "axe").run(selector, given),
    [part, options] as const,
  );
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(({ target, failureSummary }) => `${id}: ${target.join(" ")} ${failureSummary ?? ""}`),
  );
}
