import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openBrowser, visit } from "../e2e/browser.ts";
import type { Cookies, DashboardSite } from "./dashboard-site.ts";
import type { Figure } from "./figure.ts";
import { firstView } from "./first-view.ts";
import { interactions } from "./interactions.ts";
import { longFolder } from "./long-folder.ts";
import { moveMany } from "./move-many.ts";
import { seed } from "./seed.ts";
import { startServer } from "./server-process.ts";

const EMAIL = "bench@example.com";
const PASSWORD = "a password for figures";

/** The dashboard in a real Chromium: time to first paint, response to input, a move of many files. */
export async function* dashboard(): AsyncGenerator<Figure> {
  try {
    yield* await within(10_000, async (site) => [
      ...(await firstView(site)),
      ...(await interactions(site)),
    ]);
    yield* await within(3_000, moveMany);
    yield* await within(100_000, longFolder);
  } finally {
    await (await openBrowser()).close();
  }
}

async function within(
  files: number,
  workload: (site: DashboardSite) => Promise<Figure[]>,
): Promise<Figure[]> {
  const dataPath = mkdtempSync(join(tmpdir(), "holdall-bench-"));
  try {
    await (await startServer({ dataPath })).stop();
    await seed(dataPath, 1, files);
    const server = await startServer({
      dataPath,
      env: { ADMIN_EMAIL: EMAIL, ADMIN_PASSWORD: PASSWORD },
    });
    try {
      return await workload({ url: server.url, cookies: await signIn(server.url) });
    } finally {
      await server.stop();
    }
  } finally {
    rmSync(dataPath, { recursive: true });
  }
}

async function signIn(url: string): Promise<Cookies> {
  const { page, context } = await visit(url, { expectedStatuses: [401] });
  await page.goto("/sign-in");
  await page.getByLabel("Email address").fill(EMAIL);
  await page.getByLabel("Password", { exact: true }).fill(PASSWORD);
  await page.getByRole("button", { name: "Sign in" }).click();
  await page.getByRole("grid").waitFor();
  const cookies = await context.cookies();
  await context.close();
  return cookies;
}
