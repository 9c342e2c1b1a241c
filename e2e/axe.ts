import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import type { AxeResults } from "axe-core";
import type { Page } from "playwright-core";

const source = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

/** What axe finds wrong with the page as it is now: its rule, and where. */
export async function barriers(page: Page): Promise<string[]> {
  // Evaluated from outside, the page's policy does not keep it away.
  await page.evaluate(source);
  const { violations } = await page.evaluate(
    (): Promise<AxeResults> => Reflect.get(window, "axe").run(document),
  );
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(({ target, failureSummary }) => `${id}: ${target.join(" ")} ${failureSummary ?? ""}`),
  );
}
