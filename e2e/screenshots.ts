// Writes every page in both themes and three widths to a folder: `npm run screenshots -- FOLDER`.
import { mkdirSync } from "node:fs";
import { join, resolve } from "node:path";
import type { Page } from "playwright-core";
import { type Bed, makeBed } from "./bed.ts";
import { openBrowser } from "./browser.ts";
import { seedDeeds } from "./deeds.ts";
import { seedDemo } from "./demo.ts";

const [target, ...only] = process.argv.slice(2);
if (target === undefined) {
  console.error("Say where to: npm run screenshots -- FOLDER");
  process.exit(2);
}
const folder = resolve(target);
mkdirSync(folder, { recursive: true });

interface Shot {
  readonly name: string;
  readonly path: string;
  readonly stranger?: boolean;
  /** Before the page is opened. */
  readonly before?: (page: Page) => Promise<unknown>;
  readonly prepare?: (page: Page) => Promise<unknown>;
}

const press = (name: string | RegExp) => (page: Page) =>
  page.getByRole("button", { name }).first().click();

const FAILURE = {
  status: 500,
  json: { data: null, error: { message: "Unexpected server error" } },
};

const failing = (url: string) => (page: Page) => page.route(url, (route) => route.fulfill(FAILURE));

/** Traffic as weeks of use leave it: nobody can wait for it. */
const busy = (page: Page) =>
  page.route("**/api/overview*", async (route) => {
    const response = await route.fetch();
    const { data } = await response.json();
    const { traffic } = data;
    for (const [index, each] of traffic.entries()) {
      const wave = 1 + Math.sin((index / traffic.length) * 9) + Math.abs(Math.sin(index * 12.9898));
      each.requests = Math.round(wave * 410);
      each.errors = index % 5 === 2 ? Math.round(wave * 35) : 0;
      each.bytes = Math.round(wave * (2 + Math.cos(index * 3.1)) * 73_000_000);
    }
    await route.fulfill({ response, json: { data, error: null } });
  });

const SHOTS: readonly Shot[] = [
  { name: "files-list", path: "/files" },
  {
    name: "files-selected",
    path: "/files",
    prepare: async (page) => {
      await page.getByRole("checkbox", { name: "Select brand", exact: true }).click();
      await page.getByRole("checkbox", { name: "Select README.md" }).click();
    },
  },
  { name: "files-grid", path: "/files/brand/photos?sort=name&dir=asc&view=grid" },
  { name: "files-many", path: "/files/press" },
  { name: "files-deep", path: "/files/brand/logos/archive/2024/print/final" },
  { name: "files-search", path: "/files?q=note-001" },
  { name: "files-missing", path: "/files/nowhere" },
  {
    name: "files-menu",
    path: "/files",
    prepare: (page) => page.getByText("brand-guidelines.pdf").click({ button: "right" }),
  },
  {
    name: "files-rename",
    path: "/files",
    prepare: async (page) => {
      await page.getByRole("checkbox", { name: "Select README.md" }).click();
      await page.keyboard.press("F2");
      await page.getByRole("grid").focus();
      await page.keyboard.press("F2");
    },
  },
  { name: "dialog-folder", path: "/files", prepare: press("New folder") },
  {
    name: "dialog-delete",
    path: "/files",
    prepare: async (page) => {
      await page.getByRole("checkbox", { name: "Select brand", exact: true }).click();
      await press("Delete…")(page);
    },
  },
  {
    name: "dialog-move",
    path: "/files",
    prepare: async (page) => {
      await page.getByRole("checkbox", { name: "Select README.md" }).click();
      await press("Move to…")(page);
    },
  },
  {
    name: "dialog-visibility",
    path: "/files",
    prepare: async (page) => {
      await page.getByRole("checkbox", { name: "Select brand", exact: true }).click();
      await press("Visibility…")(page);
    },
  },
  {
    name: "dialog-link",
    path: "/files",
    prepare: async (page) => {
      await page.getByRole("checkbox", { name: "Select brand-guidelines.pdf" }).click();
      await press("Get link")(page);
      await press("Create link")(page);
      await page.getByText(/^Expires /).waitFor();
    },
  },
  { name: "keys", path: "/keys" },
  {
    name: "keys-new",
    path: "/keys",
    prepare: async (page) => {
      await press("Create key")(page);
      await page.getByLabel("Name", { exact: true }).fill("website");
      await page.getByRole("dialog").getByRole("button", { name: "Create key" }).click();
      await page.getByText("Your new key").waitFor();
    },
  },
  {
    name: "keys-dialog",
    path: "/keys",
    prepare: async (page) => {
      await press("Create key")(page);
      await page.getByLabel("Ends").selectOption("At a date and time…");
    },
  },
  { name: "keys-rename", path: "/keys", prepare: press("Rename website") },
  { name: "keys-failing", path: "/keys", before: failing("**/api/keys") },
  { name: "activity", path: "/activity" },
  { name: "activity-failed", path: "/activity?outcome=failed&from=2026-01-01&to=2027-12-31" },
  { name: "activity-nothing", path: "/activity?action=setup&time=hour" },
  { name: "overview", path: "/overview", before: busy },
  {
    name: "overview-week",
    path: "/overview?period=week",
    before: busy,
    prepare: async (page) => {
      await page.getByRole("slider").first().press("ArrowLeft");
      await page.keyboard.press("PageDown");
    },
  },
  {
    name: "overview-month",
    path: "/overview?period=month",
    before: busy,
    prepare: (page) => page.getByText("Show as a table").click(),
  },
  { name: "overview-quiet", path: "/overview" },
  { name: "overview-failing", path: "/overview", before: failing("**/api/overview*") },
  { name: "settings", path: "/settings" },
  { name: "not-found", path: "/nothing" },
  { name: "sign-in", path: "/sign-in", stranger: true },
  {
    name: "sign-in-wrong",
    path: "/sign-in",
    stranger: true,
    prepare: async (page) => {
      await page.getByLabel("Email address").fill("ada@example.com");
      await page.getByLabel("Password").fill("wrong");
      await press("Sign in")(page);
      await page.getByRole("alert").filter({ hasText: /\w/ }).first().waitFor();
    },
  },
  { name: "docs", path: "/docs" },
];

const SETUP: readonly Shot[] = [
  { name: "setup", path: "/setup", stranger: true },
  { name: "setup-dead", path: "/setup", stranger: true },
  { name: "sign-in-waiting", path: "/sign-in", stranger: true },
  { name: "files-empty", path: "/files/empty" },
];

const WIDTHS = [360, 1280, 2560];

async function shoot(bed: Bed, shots: readonly Shot[]): Promise<void> {
  for (const theme of ["light", "dark"] as const) {
    for (const width of WIDTHS) {
      const height = width === 360 ? 760 : width === 1280 ? 800 : 1440;
      for (const shot of shots) {
        if (only.length > 0 && !only.some((part) => shot.name.includes(part))) continue;
        const size = { theme, width, height, still: true, expected: [401, 404, 500] };
        const visit = await (shot.stranger ? bed.stranger(size) : bed.signedIn(size));
        const { page, context, complaints } = visit;
        const file = `${shot.name}-${width}-${theme}.png`;
        try {
          await shot.before?.(page);
          await page.goto(shot.path, { waitUntil: "networkidle" });
          await shot.prepare?.(page);
          await page.waitForTimeout(350);
          await page.screenshot({ path: join(folder, file) });
        } catch (error) {
          console.error(`${file}: ${error instanceof Error ? error.message : String(error)}`);
          process.exitCode = 1;
        }
        for (const complaint of complaints) console.error(`${file}: ${complaint}`);
        await context.close();
      }
    }
  }
}

const bed = await makeBed();
await seedDemo(bed.seed);
await seedDeeds(bed);
await shoot(bed, SHOTS);
await shoot(bed, SETUP.slice(3));
await bed.discard();

const fresh = await makeBed({ ADMIN_EMAIL: undefined, ADMIN_PASSWORD: undefined });
const link = /\/setup#\S+/.exec(fresh.server.output())?.[0] ?? "/setup";
await shoot(
  fresh,
  SETUP.slice(0, 3).map((shot) => (shot.name === "setup" ? { ...shot, path: link } : shot)),
);
await fresh.discard();
await (await openBrowser()).close();
console.log(folder);
process.exit();
