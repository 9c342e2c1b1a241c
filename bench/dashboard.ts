import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openBrowser, visit } from "../e2e/browser.ts";
import type { Figure } from "./figure.ts";
import { firstView } from "./first-view.ts";
import { interactions } from "./interactions.ts";
import { longFolder } from "./long-folder.ts";
import { seed } from "./seed.ts";
import { startServer } from "./server-process.ts";

const EMAIL = "bench@example.com";
const PASSWORD = "a password for figures";

/** Cookies of somebody who is signed in. */
export type Cookies = Awaited<ReturnType<Awaited<ReturnType<typeof visit>>["context"]["cookies"]>>;

/** One server whose folder `top/0/0` has so many files, as a real browser meets it. */
export interface Place {
  readonly url: string;
  readonly cookies: Cookies;
}

/** The dashboard in a real Chromium: how soon it is there, and how fast it answers. */
export async function* dashboard(): AsyncGenerator<Figure> {
  try {
    yield* await within(10_000, async (place) => [
      ...(await firstView(place)),
      ...(await interactions(place)),
    ]);
    yield* await within(100_000, longFolder);
  } finally {
    await (await openBrowser()).close();
  }
}

async function within(files: number, work: (place: Place) => Promise<Figure[]>): Promise<Figure[]> {
  const dataPath = mkdtempSync(join(tmpdir(), "holdall-bench-"));
  try {
    await (await startServer({ dataPath })).stop();
    await seed(dataPath, 1, files);
    const server = await startServer({
      dataPath,
      env: { ADMIN_EMAIL: EMAIL, ADMIN_PASSWORD: PASSWORD },
    });
    try {
      return await work({ url: server.url, cookies: await signIn(server.url) });
    } finally {
      await server.stop();
    }
  } finally {
    rmSync(dataPath, { recursive: true });
  }
}

async function signIn(url: string): Promise<Cookies> {
  const { page, context } = await visit(url, { expected: [401] });
  await page.goto("/sign-in");
  await page.getByLabel("Email address").fill(EMAIL);
  await page.getByLabel("Password", { exact: true }).fill(PASSWORD);
  await page.getByRole("button", { name: "Sign in" }).click();
  await page.getByRole("grid").waitFor();
  const cookies = await context.cookies();
  await context.close();
  return cookies;
}
