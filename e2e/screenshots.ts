// Takes screenshots of every page in both themes and all widths: `npm run screenshots -- FOLDER`.
// Further arguments select by name, width and theme, such as `files-list-390` or `1440-dark`.
// With `readme` as the folder, takes the pictures of the README and writes them to docs/.

import { mkdirSync } from "node:fs";
import { join, resolve } from "node:path";
import type { Page } from "playwright-core";
import { openBrowser, type Visit } from "./browser.ts";
import { type BrowserFixture, createBrowserFixture } from "./browser-fixture.ts";
import { linkPageStates } from "./link-page-states.ts";
import { enterState, type PageState } from "./page-state.ts";
import { PAGE_STATES } from "./page-states.ts";
import { recordVideo } from "./sample-media.ts";
import { README_STATES, SCREENSHOT_STATES } from "./screenshot-states.ts";
import { seedActivity } from "./seed-activity.ts";
import { seedDemo } from "./seed-demo.ts";
import { seedLinks } from "./seed-links.ts";
import { seedSharing } from "./seed-sharing.ts";

const [target, ...filters] = process.argv.slice(2);
if (target === undefined) {
  console.error("Name the output folder: npm run screenshots -- FOLDER");
  process.exit(2);
}
const THEMES = ["light", "dark"] as const;

/* States of a server without an account; the setup link is filled in below. */
const SETUP: readonly PageState[] = [
  { name: "setup", path: "/setup", anonymous: true },
  { name: "setup-dead", path: "/setup#dead", anonymous: true, prepare: tryToSetUp },
  { name: "sign-in-waiting", path: "/sign-in", anonymous: true },
];

const SIZES = [
  { width: 390, height: 844 },
  { width: 768, height: 1024 },
  { width: 1440, height: 900 },
  { width: 2560, height: 1440 },
  { width: 3840, height: 2160, filters: ["files-list", "files-grid", "overview", "docs"] },
];

async function tryToSetUp(page: Visit["page"]): Promise<void> {
  await page.getByLabel("Email address").fill("ada@example.com");
  await page.getByLabel("Password", { exact: true }).fill("a long enough password");
  await page.getByRole("radio", { name: /^Private/ }).check();
  await page.getByRole("button", { name: "Create account" }).click();
  await page.getByRole("heading", { name: "This setup link doesn't work" }).waitFor();
}

async function takeAll(
  fixture: BrowserFixture,
  folder: string,
  states: readonly PageState[],
): Promise<void> {
  for (const theme of THEMES) {
    for (const { width, height, filters: wanted } of SIZES) {
      for (const state of states) {
        if (wanted !== undefined && !wanted.includes(state.name)) continue;
        const name = `${state.name}-${width}-${theme}`;
        if (filters.length > 0 && !filters.some((part) => name.includes(part))) continue;
        const size = {
          theme,
          width,
          height,
          reducedMotion: true,
          expectedStatuses: [400, 401, 404, 429, 500, 503],
        };
        const visit = await (state.anonymous ? fixture.anonymous(size) : fixture.signedIn(size));
        await takeOne(visit, state, join(folder, `${name}.png`));
      }
    }
  }
}

async function takeOne({ page, consoleErrors, close }: Visit, state: PageState, file: string) {
  try {
    await endChangeStream(page);
    await enterState(page, state);
    if (!state.name.endsWith("-running")) await page.waitForLoadState("networkidle");
    await page.screenshot({ path: file });
  } catch (error) {
    console.error(`${file}: ${error instanceof Error ? error.message : String(error)}`);
    process.exitCode = 1;
  }
  for (const complaint of consoleErrors) console.error(`${file}: ${complaint}`);
  await close();
}

/** The network would never be idle while the page follows the change feed. */
async function endChangeStream(page: Page): Promise<void> {
  await page.route("**/api/changes*", (route) =>
    route.fulfill({ contentType: "text/event-stream" }),
  );
}

async function takeForReadme(fixture: BrowserFixture): Promise<void> {
  for (const theme of THEMES) {
    const visit = await fixture.signedIn({ theme, reducedMotion: true, width: 1280, height: 800 });
    const session = await visit.context.newCDPSession(visit.page);
    // Sharp on high-density screens.
    const size = { width: 1280, height: 800, deviceScaleFactor: 2, mobile: false };
    await session.send("Emulation.setDeviceMetricsOverride", size);
    await endChangeStream(visit.page);
    await enterState(visit.page, README_STATES[theme]);
    await visit.page.waitForLoadState("networkidle");
    const { data } = await session.send("Page.captureScreenshot", { format: "webp", quality: 80 });
    await Bun.write(join("docs", `dashboard-${theme}.webp`), Buffer.from(data, "base64"));
    await visit.close();
  }
}

const fixture = await createBrowserFixture();
await seedDemo(fixture.seed);
if (target === "readme") await takeForReadme(fixture);
else {
  const folder = resolve(target);
  mkdirSync(folder, { recursive: true });
  await seedSharing(fixture.seed);
  await seedActivity(fixture);
  const { page, close } = await fixture.anonymous();
  await page.goto("/sign-in");
  await fixture.seed.file("tour.webm", await recordVideo(page));
  await close();
  const links = linkPageStates(await seedLinks(fixture));
  await takeAll(fixture, folder, [...PAGE_STATES, ...SCREENSHOT_STATES, ...links]);

  const fresh = await createBrowserFixture({ ADMIN_EMAIL: undefined, ADMIN_PASSWORD: undefined });
  const link = /\/setup#\S+/.exec(fresh.server.output())?.[0] ?? "/setup";
  const setup = SETUP.map((state) => (state.name === "setup" ? { ...state, path: link } : state));
  await takeAll(fresh, folder, setup);
  await fresh.discard();
}
await fixture.discard();
await (await openBrowser()).close();
console.log(target);
process.exit();
