import { afterEach, beforeAll, expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { closeVisits } from "./browser.ts";
import type { BrowserFixture } from "./browser-fixture.ts";
import { sharedFixture } from "./shared-fixture.ts";
import { waitUntilIdle } from "./wait-until-idle.ts";

let fixture: BrowserFixture;
beforeAll(async () => {
  fixture = await sharedFixture();
});
afterEach(closeVisits);

const row = (page: Page, name: string) => page.getByRole("row", { name });
const waitForText = (page: Page, text: string) => page.getByText(text).first().waitFor();

/** Opens a folder on a phone. */
async function show(folder: string, files: readonly string[], width = 390): Promise<Page> {
  for (const name of files) await fixture.seed.file(`${folder}/${name}`);
  const { page } = await fixture.signedIn({
    device: "phone",
    reducedMotion: true,
    width,
    height: 800,
  });
  await page.goto(`/files/${folder}?view=list`);
  await page.getByRole("grid").waitFor();
  // A press needs to know where the rows are.
  await waitUntilIdle(page);
  return page;
}

/** Long-presses an entry until the page shows the text. */
async function longPress(page: Page, name: string, until: string): Promise<void> {
  const box = await row(page, name).boundingBox();
  if (box === null) throw new Error(`${name} is not in view.`);
  const session = await page.context().newCDPSession(page);
  const touchPoints = [{ x: box.x + 120, y: box.y + box.height / 2 }];
  await session.send("Input.dispatchTouchEvent", { type: "touchStart", touchPoints });
  await waitForText(page, until);
  await session.send("Input.dispatchTouchEvent", { type: "touchEnd", touchPoints: [] });
  await session.detach();
}

test("a long press selects, taps then extend the selection, and without one they open", async () => {
  const page = await show("finger", ["a.txt", "b.txt", "c.txt", "sub/d.txt"]);
  await longPress(page, "a.txt", "1 selected");
  expect(await page.getByRole("menu").count()).toBe(0);
  await row(page, "b.txt").getByRole("link").tap();
  await waitForText(page, "2 selected");
  await row(page, "c.txt").tap();
  await waitForText(page, "3 selected");
  await row(page, "b.txt").tap();
  await waitForText(page, "2 selected");
  expect(await page.getByRole("dialog").count()).toBe(0);
  await page.getByRole("button", { name: "Delete", exact: true }).tap();
  await row(page, "a.txt").waitFor({ state: "detached" });

  await row(page, "b.txt").tap();
  await page.getByRole("dialog", { name: "Preview of b.txt" }).waitFor();
  await page.getByRole("button", { name: "Close" }).tap();
  await row(page, "sub").tap();
  await row(page, "d.txt").waitFor();
});

test("the entry menu, the selection bar and the navigation work by touch", async () => {
  const page = await show("reach", ["a.txt", "sub/b.txt"]);
  const menu = page.getByRole("menu");
  await page.getByRole("button", { name: "More actions for a.txt" }).tap();
  await menu.waitFor();
  expect(await menu.getByRole("menuitem").allTextContents()).toEqual([
    "Open in a new tab",
    "Edit",
    "Download",
    "Copy URL",
    "Share…",
    "Embed…",
    expect.stringContaining("Rename"),
    "Move to…",
    "Copy to…",
    "Duplicate",
    "Make private",
    expect.stringContaining("Details"),
    expect.stringContaining("Delete"),
  ]);
  await menu.getByRole("menuitem", { name: "Rename" }).tap();
  await page.getByRole("textbox", { name: "New name for a.txt" }).waitFor();
  await page.keyboard.type("z");
  await page.keyboard.press("Enter");
  await row(page, "z.txt").waitFor();

  await longPress(page, "z.txt", "1 selected");
  await page.getByRole("button", { name: "Move to…" }).tap();
  await page.getByRole("dialog").getByRole("treeitem", { name: "sub", exact: true }).tap();
  await page.getByRole("button", { name: "Move here" }).tap();
  await row(page, "z.txt").waitFor({ state: "detached" });

  await page.getByRole("button", { name: "Open navigation" }).tap();
  await page.getByRole("dialog").getByRole("link", { name: "API keys" }).tap();
  await page.getByRole("heading", { name: "API keys" }).first().waitFor();
});

test.each([390, 800])(
  "at %d px, no button of a toolbar takes taps of the next one",
  async (width) => {
    const page = await show(`edges-${width}`, ["a.txt"], width);
    const takenEdges = (inside: string) =>
      page.locator(inside).evaluateAll((buttons) =>
        buttons.flatMap((button) => {
          const { left, right, top, height } = button.getBoundingClientRect();
          return [left + 1, right - 1]
            .filter((x) => button.checkVisibility() && !isTarget(x))
            .map((x) => `${button.ariaLabel} at ${x}`);

          function isTarget(x: number): boolean {
            return button.contains(document.elementFromPoint(x, top + height / 2));
          }
        }),
      );
    await longPress(page, "a.txt", "1 selected");
    await page.getByRole("toolbar", { name: "Selection" }).waitFor();
    expect(await takenEdges("[role=toolbar] button")).toEqual([]);
    await page.getByRole("button", { name: "Clear selection" }).tap();
    await row(page, "a.txt").tap();
    await page.getByRole("dialog", { name: "Preview of a.txt" }).waitFor();
    expect(await takenEdges("dialog header button")).toEqual([]);
  },
);

test("shows the buttons of entries on a tablet, where there is no hover", async () => {
  const page = await show("tablet", ["a.txt"], 1024);
  const more = page.getByRole("button", { name: "More actions for a.txt" });
  expect(await more.evaluate((button) => getComputedStyle(button).opacity)).toBe("1");
  await page.getByRole("radio", { name: "Grid" }).tap();
  const choose = page.getByRole("checkbox", { name: "Select a.txt" });
  await choose.tap();
  await waitForText(page, "1 selected");
});
