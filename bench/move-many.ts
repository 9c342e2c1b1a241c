import { visit } from "../e2e/browser.ts";
import type { DashboardSite } from "./dashboard-site.ts";
import { type Figure, median } from "./figure.ts";
import { API_KEY } from "./server-process.ts";

const RUNS = 5;
const BAR_MS = 2_000;

/** Moves 3,000 selected files in the dashboard: from the click until it says so and the list is empty. */
export async function moveMany({ url, cookies }: DashboardSite): Promise<Figure[]> {
  const { page, context } = await visit(url, { width: 1280, height: 900 });
  await context.addCookies(cookies);
  const button = (name: string) => page.getByRole("button", { name, exact: true });
  const times: number[] = [];
  let folder = "top/0/0";
  for (let run = 1; run <= RUNS; run += 1) {
    const target = `moved-${run}`;
    await createFolder(url, target);
    await page.goto(`/files/${folder}?view=list`);
    await page.getByRole("checkbox", { name: "Select all" }).click();
    await page.getByText("3,000 selected").first().waitFor();
    await button("Move to…").click();
    await page.getByRole("dialog").getByRole("treeitem", { name: target, exact: true }).click();
    const started = performance.now();
    await button("Move here").click();
    await page.getByText(`Moved 3,000 items to “${target}”.`).first().waitFor();
    await page.getByText("This folder is empty").waitFor();
    times.push(performance.now() - started);
    folder = target;
  }
  await context.close();
  return [
    { what: "3,000 files moved, median", value: median(times), unit: "ms", bar: BAR_MS },
    { what: "3,000 files moved, slowest", value: Math.max(...times), unit: "ms" },
  ];
}

async function createFolder(url: string, folder: string): Promise<void> {
  const response = await fetch(`${url}/api/folders`, {
    method: "POST",
    headers: { "API-Key": API_KEY, "Content-Type": "application/json" },
    body: JSON.stringify({ folder }),
  });
  if (!response.ok) throw new Error(`The folder was not created: ${await response.text()}`);
}
