import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { barriers } from "./axe.ts";
import { type Bed, makeBed } from "./bed.ts";
import { seedDeeds } from "./deeds.ts";
import { seedDemo } from "./demo.ts";

let bed: Bed;
beforeAll(async () => {
  bed = await makeBed();
  await seedDemo(bed.seed);
  await seedDeeds(bed);
});
afterAll(() => bed.discard());

const select = (page: Page, name: string) =>
  page.getByRole("checkbox", { name: `Select ${name}`, exact: true }).click();
const press = (page: Page, name: string) =>
  page.getByRole("button", { name, exact: true }).first().click();

type Prepare = (page: Page) => Promise<unknown>;

const STATES: [string, string, Prepare?][] = [
  ["the list", "/files"],
  ["the grid", "/files/brand/photos?sort=name&dir=asc&view=grid"],
  ["a long list", "/files/press"],
  ["what was found", "/files?q=note-000"],
  ["nothing found", "/files?q=zzzz"],
  ["an empty folder", "/files/empty"],
  ["a folder that is not there", "/files/nowhere"],
  ["a selection", "/files", (page) => select(page, "README.md")],
  ["the menu", "/files", (page) => page.getByText("README.md").click({ button: "right" })],
  ["the dialog of a new folder", "/files", (page) => press(page, "New folder")],
  [
    "the dialog of deletion",
    "/files",
    async (page) => {
      await select(page, "brand");
      await press(page, "Delete…");
    },
  ],
  [
    "the dialog of moving",
    "/files",
    async (page) => {
      await select(page, "README.md");
      await press(page, "Move to…");
    },
  ],
  [
    "the dialog of visibility",
    "/files",
    async (page) => {
      await select(page, "brand");
      await press(page, "Visibility…");
    },
  ],
  [
    "the dialog of links",
    "/files",
    async (page) => {
      await select(page, "README.md");
      await press(page, "Get link");
      await press(page, "Create link");
      await page.getByText(/^Expires /).waitFor();
    },
  ],
  [
    "the panel of uploads",
    "/files/empty",
    async (page) => {
      await page.evaluate(() => {
        const data = new DataTransfer();
        for (const name of ["README.md", "\u0007.txt"]) data.items.add(new File(["x"], name));
        document.dispatchEvent(new ClipboardEvent("paste", { clipboardData: data, bubbles: true }));
      });
      await page
        .getByText(/control characters/)
        .first()
        .waitFor();
    },
  ],
  ["the keys", "/keys"],
  ["the dialog of a new key", "/keys", (page) => press(page, "Create key")],
  [
    "a new key that ends at a moment of one's own",
    "/keys",
    async (page) => {
      await press(page, "Create key");
      await page.getByLabel("Ends").selectOption("At a date and time…");
      await page.getByLabel("Name", { exact: true }).press("Enter");
    },
  ],
  ["a key that is renamed", "/keys", (page) => press(page, "Rename backup")],
  ["the revoking of a key", "/keys", (page) => press(page, "Revoke backup")],
  ["the activity", "/activity"],
  ["the activity of some days", "/activity?outcome=failed&from=2026-01-01&to=2030-12-31"],
  ["activity that nothing matches", "/activity?action=setup&time=hour"],
  ["the overview", "/overview"],
  [
    "the chart of the traffic",
    "/overview?period=week",
    (page) => page.getByRole("slider").first().press("ArrowLeft"),
  ],
  ["the table of the traffic", "/overview", (page) => page.getByText("Show as a table").click()],
  ["the settings", "/settings"],
  ["an unknown address", "/nothing"],
  ["the reference", "/docs"],
];

/* Each theme once and each width once: what depends on one seldom depends on the other. */
describe.each([
  ["light", 1280],
  ["dark", 360],
] as const)("axe finds nothing, %s, at %d pixels", (theme, width) => {
  const options = { theme, width, still: true, expected: [400, 401, 404] };

  test.each(STATES.map(([what, path, prepare]) => ({ what, path, prepare })))(
    "in $what",
    async ({ path, prepare }) => {
      const { page, context, complaints } = await bed.signedIn(options);
      await page.goto(path);
      await settled(page);
      await prepare?.(page);
      expect(await barriers(page)).toEqual([]);
      expect(complaints).toEqual([]);
      await context.close();
    },
  );

  test("in signing in", async () => {
    const { page, complaints } = await bed.stranger(options);
    await page.goto("/sign-in");
    await settled(page);
    expect(await barriers(page)).toEqual([]);
    expect(complaints).toEqual([]);
  });
});

/** Nothing on the page is still being read. */
async function settled(page: Page): Promise<void> {
  await page.getByRole("heading", { level: 1 }).first().waitFor();
  await page.waitForFunction(() => document.querySelector("[aria-busy=true]") === null);
}
