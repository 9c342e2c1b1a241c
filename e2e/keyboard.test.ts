import { afterEach, expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { eventually } from "../test/expectations.ts";
import { closeVisits } from "./browser.ts";
import { EMAIL, PASSWORD } from "./browser-fixture.ts";
import { landscapeSvg } from "./landscape-svg.ts";
import { sharedFixture } from "./shared-fixture.ts";

afterEach(closeVisits);

/** The accessible name of the focused element. */
const focused = (page: Page) =>
  page.evaluate(() => {
    const element = document.activeElement;
    const label = element instanceof HTMLInputElement ? element.labels?.[0] : undefined;
    const named = (label ?? element)?.cloneNode(true);
    if (!(named instanceof Element)) return "";
    for (const hidden of named.querySelectorAll("[aria-hidden=true]")) hidden.remove();
    return element?.getAttribute("aria-label") ?? named.textContent.trim();
  });

const focusedTag = (page: Page) => page.evaluate(() => document.activeElement?.tagName);

/** Presses Tab until the element with this name has the focus. */
async function tabTo(page: Page, name: string, key: "Tab" | "Shift+Tab" = "Tab"): Promise<void> {
  for (let presses = 0; presses < 60; presses += 1) {
    if ((await focused(page)) === name) return;
    await page.keyboard.press(key);
  }
  throw new Error(`${key} never reaches “${name}”.`);
}

test("works without a mouse, from signing in to signing out", async () => {
  const fixture = await sharedFixture();
  await fixture.seed.file("day/a.txt", "first");
  await fixture.seed.file("day/b.txt", "second");
  const { page, consoleErrors } = await fixture.anonymous({
    reducedMotion: true,
    expectedStatuses: [401],
  });
  const { keyboard } = page;
  await page.goto("/files/day");
  await page.getByLabel("Email address").waitFor();
  await keyboard.type(EMAIL);
  await keyboard.press("Tab");
  await keyboard.type(PASSWORD);
  await keyboard.press("Enter");
  await page.getByRole("row", { name: "a.txt" }).waitFor();

  await tabTo(page, "Skip to content");
  await keyboard.press("Enter");
  await tabTo(page, "Upload");
  const chooser = page.waitForEvent("filechooser");
  await keyboard.press("Enter");
  await page.getByRole("menu").waitFor();
  await keyboard.press("Enter");
  await (await chooser).setFiles([
    { name: "c.txt", mimeType: "text/plain", buffer: Buffer.from("c") },
  ]);
  await page.getByRole("row", { name: "c.txt" }).waitFor();

  await tabTo(page, "Contents of day");
  await keyboard.press("Home");
  await keyboard.press("Enter");
  await page.getByRole("dialog", { name: "Preview of a.txt" }).waitFor();
  await keyboard.press("ArrowRight");
  await page.getByRole("dialog", { name: "Preview of b.txt" }).getByText("second").waitFor();
  await keyboard.press("Escape");
  await page.getByRole("dialog").waitFor({ state: "detached" });
  await eventually("the list has the focus", async () =>
    (await focused(page)).startsWith("Contents of day"),
  );

  await keyboard.press("Shift+F10");
  const menu = page.getByRole("menu");
  await menu.waitFor();
  await keyboard.press("Escape");
  await menu.waitFor({ state: "detached" });
  await keyboard.press("Delete");
  await page
    .getByText(/^Moved “.\.txt” to the trash\.$/)
    .first()
    .waitFor();
  await tabTo(page, "Undo");
  await keyboard.press("Enter");
  await page
    .getByText(/^Restored “.\.txt” to “day”\.$/)
    .first()
    .waitFor();
  expect(await focused(page)).not.toBe("");

  await page.evaluate(() => document.getElementById("content")?.focus());
  await tabTo(page, "API keys", "Shift+Tab");
  await keyboard.press("Enter");
  await page.getByRole("heading", { name: "API keys" }).first().waitFor();
  await page.waitForFunction(() => document.activeElement?.id === "content");
  await tabTo(page, `Account ${EMAIL}`, "Shift+Tab");
  await keyboard.press("Enter");
  await page.getByRole("menuitem", { name: "Sign out" }).waitFor();
  await keyboard.press("End");
  await keyboard.press("Enter");
  await page.getByRole("heading", { name: "Sign in to Holdall" }).waitFor();
  expect(consoleErrors).toEqual([]);
});

test("filters and tile sizes work without a mouse", async () => {
  const fixture = await sharedFixture();
  await fixture.seed.file("sieve/a.txt");
  await fixture.seed.file("sieve/b.svg", landscapeSvg(1));
  const { page, consoleErrors } = await fixture.signedIn({ reducedMotion: true });
  const { keyboard } = page;
  const entry = (name: string) => page.locator("[aria-selected]").filter({ hasText: name });
  await page.goto("/files/sieve?view=list&sort=name&dir=asc");
  await entry("a.txt").waitFor();
  await tabTo(page, "Filter");
  await keyboard.press("Enter");
  // Until they are loaded, the next “Type” is the list's column.
  await page.getByRole("group", { name: "Search filters" }).waitFor();
  await tabTo(page, "Type");
  await keyboard.press("ArrowDown");
  await entry("a.txt").waitFor({ state: "detached" });
  await entry("b.svg").waitFor();
  expect(await focused(page)).toBe("Type");
  await tabTo(page, "Clear filters");
  await keyboard.press("Enter");
  await entry("a.txt").waitFor();
  await eventually("the focus stays on the page", async () => (await focusedTag(page)) !== "BODY");

  await tabTo(page, "List", "Shift+Tab");
  await keyboard.press("ArrowRight");
  await page.getByRole("gridcell").first().waitFor();
  expect(await focused(page)).toBe("Grid");
  await tabTo(page, "Medium", "Shift+Tab");
  const widthOf = async () => (await entry("a.txt").boundingBox())?.width ?? 0;
  const medium = await widthOf();
  await keyboard.press("ArrowRight");
  expect(await focused(page)).toBe("Large");
  await eventually("the tiles are larger", async () => (await widthOf()) > medium);
  await keyboard.press("ArrowLeft");
  await keyboard.press("ArrowLeft");
  expect(await focused(page)).toBe("Small");
  await eventually("the tiles are smaller", async () => (await widthOf()) < medium);
  expect(consoleErrors).toEqual([]);
});

test("the Health page works without a mouse", async () => {
  const fixture = await sharedFixture();
  await fixture.seed.file("healthy.txt");
  const { page, consoleErrors } = await fixture.signedIn({ reducedMotion: true });
  const { keyboard } = page;
  await page.goto("/settings");
  await page.getByRole("heading", { name: "Settings", level: 1 }).waitFor();
  await tabTo(page, "Health");
  await keyboard.press("Enter");
  await page.getByRole("region", { name: "Checks" }).waitFor();
  await page.waitForFunction(() => document.activeElement?.id === "content");
  await tabTo(page, "Check now");
  await keyboard.press("Enter");
  await page.getByText(/ checked .*\. No damage found\.$/).waitFor();
  expect(await focused(page)).toBe("Check now");
  await tabTo(page, "Copy Back up");
  await keyboard.press("Enter");
  await page.getByRole("button", { name: "Back up copied" }).waitFor();
  const copied = await page.evaluate(() => navigator.clipboard.readText());
  expect(copied).toEndWith(" npm run holdall -- backup /backups/holdall");
  expect(consoleErrors).toEqual([]);
});
