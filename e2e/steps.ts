import type { Locator, Page } from "playwright-core";
import { waitUntilIdle } from "./wait-until-idle.ts";

/** An interaction with a page. */
export type Step = (page: Page) => Promise<unknown>;

export const press =
  (name: string | RegExp): Step =>
  (page) =>
    page.getByRole("button", { name }).first().click();

export const select =
  (name: string): Step =>
  (page) =>
    page.getByRole("checkbox", { name: `Select ${name}`, exact: true }).click();

/** Pastes files, which uploads them. The content of each is its text, or this many zeros. */
export const paste =
  (files: Readonly<Record<string, string | number>>): Step =>
  (page) =>
    page.evaluate((given) => {
      const data = new DataTransfer();
      for (const [name, content] of Object.entries(given)) {
        const part = typeof content === "string" ? content : new Uint8Array(content);
        data.items.add(new File([part], name));
      }
      document.dispatchEvent(new ClipboardEvent("paste", { clipboardData: data, bubbles: true }));
    }, files);

/** Chooses from the menu of the selection. */
export const chooseForSelection =
  (name: string): Step =>
  async (page) => {
    await page.getByRole("button", { name: "More for the selection" }).click();
    await page.getByRole("menuitem", { name, exact: true }).click();
  };

/** Runs steps in order. */
export const sequence =
  (...steps: readonly Step[]): Step =>
  async (page) => {
    for (const step of steps) await step(page);
  };

/** Opens the menu of an entry in the list by a right click. */
export const openMenu =
  (name: string): Step =>
  async (page) => {
    const entry = page.getByRole("grid").getByText(name);
    await entry.scrollIntoViewIfNeeded();
    await waitUntilIdle(page);
    const menu = page.getByRole("menu");
    // A scroll that is still under way closes the menu.
    for (let attempt = 1; attempt <= 5 && !(await menu.isVisible()); attempt += 1) {
      await entry.click({ button: "right" });
      await menu.waitFor({ timeout: 3000 }).catch(() => undefined);
      await waitUntilIdle(page);
    }
    await menu.waitFor();
  };

/** Chooses from the open menu. */
export const choose =
  (name: string): Step =>
  (page) =>
    page.getByRole("menuitem", { name, exact: true }).click();

/** Selector of the preview dialog. */
export const PREVIEW = "dialog[data-preview]";

/** Opens the preview of a file in the list. */
export const openPreview =
  (name: string): Step =>
  async (page) => {
    await page.getByRole("row", { name }).getByRole("link").click();
    await page.locator(PREVIEW).getByRole("heading").first().waitFor();
  };

const FAILURE = {
  status: 500,
  json: { data: null, error: { message: "Unexpected server error" } },
};

/** Makes matching requests fail with 500. */
export const failWith500 =
  (url: string): Step =>
  (page) =>
    page.route(url, (route) => route.fulfill(FAILURE));

/** Scrolls a list, which renders only what is in view, until it shows one of the elements. */
export async function scrollUntilShown(page: Page, wanted: Locator): Promise<void> {
  const { width, height } = page.viewportSize() ?? { width: 0, height: 0 };
  await page.mouse.move(width / 2, height / 2);
  for (let top = 0; (await wanted.count()) === 0; top += height / 2) {
    if (top > 20_000) throw new Error("Not in the list.");
    await page.mouse.wheel(0, height / 2);
    await waitUntilIdle(page);
  }
}
