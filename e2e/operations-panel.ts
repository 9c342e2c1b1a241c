import type { Page } from "playwright-core";

/** The panel with the operations that take long. */
export const panel = (page: Page) => page.getByRole("region", { name: "Operations" });

export const line = (page: Page, text: string) =>
  panel(page).getByRole("listitem").filter({ hasText: text });

export const button = (page: Page, name: string) => page.getByRole("button", { name, exact: true });

export async function moveSelected(page: Page, to: string): Promise<void> {
  await button(page, "Move to…").click();
  await page.getByRole("dialog").getByRole("treeitem", { name: to, exact: true }).click();
  await button(page, "Move here").click();
}
