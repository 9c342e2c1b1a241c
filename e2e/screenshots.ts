// Takes screenshots of every page in both themes and all widths: `npm run screenshots -- FOLDER`.
// With `readme` as the folder, takes the pictures of the README and writes them to docs/.
import { mkdirSync } from "node:fs";
import { join, resolve } from "node:path";
import { type Bed, makeBed } from "./bed.ts";
import { openBrowser, type Visit } from "./browser.ts";
import { seedDeeds } from "./deeds.ts";
import { seedDemo } from "./demo.ts";
import { film } from "./media.ts";
import { README_STATES, SHOWN_STATES } from "./shown-states.ts";
import { enter, type State } from "./state.ts";
import { STATES } from "./states.ts";

const [target, ...only] = process.argv.slice(2);
if (target === undefined) {
  console.error("Name the output folder: npm run screenshots -- FOLDER");
  process.exit(2);
}
const THEMES = ["light", "dark"] as const;

/* States of a server without an account; the setup link is filled in below. */
const SETUP: readonly State[] = [
  { name: "setup", path: "/setup", stranger: true },
  { name: "setup-dead", path: "/setup#dead", stranger: true, prepare: tryToSetUp },
  { name: "sign-in-waiting", path: "/sign-in", stranger: true },
];

const SIZES = [
  { width: 360, height: 760 },
  { width: 1280, height: 800 },
  { width: 2560, height: 1440 },
  { width: 3840, height: 2160, only: ["files-list", "files-grid", "overview", "docs"] },
];

async function tryToSetUp(page: Visit["page"]): Promise<void> {
  await page.getByLabel("Email address").fill("ada@example.com");
  await page.getByLabel("Password", { exact: true }).fill("a long enough password");
  await page.getByRole("button", { name: "Create account" }).click();
  await page.getByRole("heading", { name: "This setup link doesn't work" }).waitFor();
}

async function shoot(bed: Bed, folder: string, states: readonly State[]): Promise<void> {
  for (const theme of THEMES) {
    for (const { width, height, only: wanted } of SIZES) {
      for (const state of states) {
        if (wanted !== undefined && !wanted.includes(state.name)) continue;
        if (only.length > 0 && !only.some((part) => state.name.includes(part))) continue;
        const size = { theme, width, height, still: true, expected: [400, 401, 404, 429, 500] };
        const visit = await (state.stranger ? bed.stranger(size) : bed.signedIn(size));
        await take(visit, state, join(folder, `${state.name}-${width}-${theme}.png`));
      }
    }
  }
}

async function take({ page, complaints, close }: Visit, state: State, file: string) {
  try {
    await enter(page, state);
    if (state.name !== "uploads-running") await page.waitForLoadState("networkidle");
    await page.screenshot({ path: file });
  } catch (error) {
    console.error(`${file}: ${error instanceof Error ? error.message : String(error)}`);
    process.exitCode = 1;
  }
  for (const complaint of complaints) console.error(`${file}: ${complaint}`);
  await close();
}

async function shootForReadme(bed: Bed): Promise<void> {
  for (const theme of THEMES) {
    const visit = await bed.signedIn({ theme, still: true, width: 1280, height: 800 });
    const session = await visit.context.newCDPSession(visit.page);
    // Sharp on high-density screens.
    const size = { width: 1280, height: 800, deviceScaleFactor: 2, mobile: false };
    await session.send("Emulation.setDeviceMetricsOverride", size);
    await enter(visit.page, README_STATES[theme]);
    await visit.page.waitForLoadState("networkidle");
    const { data } = await session.send("Page.captureScreenshot", { format: "webp", quality: 80 });
    await Bun.write(join("docs", `dashboard-${theme}.webp`), Buffer.from(data, "base64"));
    await visit.close();
  }
}

const bed = await makeBed();
await seedDemo(bed.seed);
if (target === "readme") await shootForReadme(bed);
else {
  const folder = resolve(target);
  mkdirSync(folder, { recursive: true });
  await seedDeeds(bed);
  const { page, close } = await bed.stranger();
  await page.goto("/sign-in");
  await bed.seed.file("tour.webm", await film(page));
  await close();
  await shoot(bed, folder, [...STATES, ...SHOWN_STATES]);

  const fresh = await makeBed({ ADMIN_EMAIL: undefined, ADMIN_PASSWORD: undefined });
  const link = /\/setup#\S+/.exec(fresh.server.output())?.[0] ?? "/setup";
  const setup = SETUP.map((state) => (state.name === "setup" ? { ...state, path: link } : state));
  await shoot(fresh, folder, setup);
  await fresh.discard();
}
await bed.discard();
await (await openBrowser()).close();
console.log(target);
process.exit();
