// Writes every page in both themes and three widths to a folder: `npm run screenshots -- FOLDER`.
import { mkdirSync } from "node:fs";
import { join, resolve } from "node:path";
import { type Bed, makeBed } from "./bed.ts";
import { openBrowser } from "./browser.ts";
import { seedDeeds } from "./deeds.ts";
import { seedDemo } from "./demo.ts";
import { enter, type State } from "./state.ts";
import { STATES } from "./states.ts";

const [target, ...only] = process.argv.slice(2);
if (target === undefined) {
  console.error("Say where to: npm run screenshots -- FOLDER");
  process.exit(2);
}
const folder = resolve(target);
mkdirSync(folder, { recursive: true });

/* What only a server without an account shows; the link is put in below. */
const SETUP: readonly State[] = [
  { name: "setup", path: "/setup", stranger: true },
  { name: "setup-dead", path: "/setup#dead", stranger: true },
  { name: "sign-in-waiting", path: "/sign-in", stranger: true },
];

const WIDTHS = [360, 1280, 2560];

async function shoot(bed: Bed, states: readonly State[]): Promise<void> {
  for (const theme of ["light", "dark"] as const) {
    for (const width of WIDTHS) {
      const height = width === 360 ? 760 : width === 1280 ? 800 : 1440;
      for (const state of states) {
        if (only.length > 0 && !only.some((part) => state.name.includes(part))) continue;
        const size = { theme, width, height, still: true, expected: [400, 401, 404, 500] };
        const visit = await (state.stranger ? bed.stranger(size) : bed.signedIn(size));
        const { page, complaints } = visit;
        const file = `${state.name}-${width}-${theme}.png`;
        try {
          await enter(page, state);
          await page.waitForLoadState("networkidle");
          await page.screenshot({ path: join(folder, file) });
        } catch (error) {
          console.error(`${file}: ${error instanceof Error ? error.message : String(error)}`);
          process.exitCode = 1;
        }
        for (const complaint of complaints) console.error(`${file}: ${complaint}`);
        await visit.close();
      }
    }
  }
}

const bed = await makeBed();
await seedDemo(bed.seed);
await seedDeeds(bed);
await shoot(bed, STATES);
await bed.discard();

const fresh = await makeBed({ ADMIN_EMAIL: undefined, ADMIN_PASSWORD: undefined });
const link = /\/setup#\S+/.exec(fresh.server.output())?.[0] ?? "/setup";
await shoot(
  fresh,
  SETUP.map((state) => (state.name === "setup" ? { ...state, path: link } : state)),
);
await fresh.discard();
await (await openBrowser()).close();
console.log(folder);
process.exit();
