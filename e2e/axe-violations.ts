import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import type { AxeResults, RunOptions } from "axe-core";
import type { Page } from "playwright-core";

const source = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

const CONTRAST = "color-contrast";

/**
 * The axe violations of the current page, or of a part of it, in both themes. Themes differ only in
 * colors, so the other theme is only checked for contrast. `checks` leaves the other theme or all
 * contrast out where the same look is checked elsewhere: contrast takes most of the time.
 */
export async function axeViolations(
  page: Page,
  part = "html",
  checks: "all" | "this theme" | "all but contrast" = "all",
): Promise<string[]> {
  const isDark = await page.evaluate(() => matchMedia("(prefers-color-scheme: dark)").matches);
  const [theme, other] = isDark ? (["dark", "light"] as const) : (["light", "dark"] as const);
  // During a color transition the colors belong to neither theme.
  await page.emulateMedia({ reducedMotion: "reduce" });
  if (checks === "all but contrast") {
    const rules = { [CONTRAST]: { enabled: false } };
    return run(page, part, { resultTypes: ["violations"], rules });
  }
  const all = await run(page, part, { resultTypes: ["violations"] });
  if (checks === "this theme") return all;
  await page.emulateMedia({ colorScheme: other });
  const contrast = await run(page, part, {
    resultTypes: ["violations"],
    runOnly: { type: "rule", values: [CONTRAST] },
  });
  await page.emulateMedia({ colorScheme: theme });
  return [...all, ...contrast.map((each) => `${other}: ${each}`)];
}

async function run(page: Page, part: string, options: RunOptions): Promise<string[]> {
  // Evaluated by the debugger, axe is not blocked by the page's Content-Security-Policy.
  if (!(await page.evaluate(() => "axe" in window))) await page.evaluate(source);
  const { violations } = await page.evaluate(
    ([selector, given]): Promise<AxeResults> => Reflect.get(window, "axe").run(selector, given),
    [part, options] as const,
  );
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(({ target, failureSummary }) => `${id}: ${target.join(" ")} ${failureSummary ?? ""}`),
  );
}
