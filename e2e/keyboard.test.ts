import { afterEach, expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { eventually } from "../test/expectations.ts";
import { closeVisits } from "./browser.ts";
import { EMAIL, PASSWORD } from "./browser-fixture.ts";
import { sharedFixture } from "./shared-fixture.ts";

afterEach(closeVisits);

/** The accessible name of the focused element. */
const focused = (page: Page) =>
  page.evaluate(() => {
    const element = document.activeElement;
    const label = element instanceof HTMLInputElement ? element.labels?.[0] : undefined;
    const text = (label ?? element)?.textContent?.trim();
    return element?.getAttribute("aria-label") ?? text ?? "";
  });

/** Presses Tab until the element with this name has the focus. */
async function tabTo(page: Page, name: string): Promise<void> {
  for (let presses = 0; presses < 60; presses += 1) {
    if ((await focused(page)) === name) return;
    await page.keyboard.press("Tab");
  }
  throw new Error(`Tab never reaches “${name}”.`);
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
  for (let presses = 0; presses < 60; presses += 1) {
    if ((await focused(page)) === "API keys") break;
    await keyboard.press("Shift+Tab");
  }
  await keyboard.press("Enter");
  await page.getByRole("heading", { name: "API keys" }).first().waitFor();
  await page.waitForFunction(() => document.activeElement?.id === "content");
  for (let presses = 0; presses < 60; presses += 1) {
    if ((await focused(page)) === `Account ${EMAIL}`) break;
    await keyboard.press("Shift+Tab");
  }
  await keyboard.press("Enter");
  await page.getByRole("menuitem", { name: "Sign out" }).waitFor();
  await keyboard.press("End");
  await keyboard.press("Enter");
  await page.getByRole("heading", { name: "Sign in to Holdall" }).waitFor();
  expect(consoleErrors).toEqual([]);
});
