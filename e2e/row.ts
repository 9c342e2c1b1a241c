import type { Locator, Page } from "playwright-core";

/** The row of a list that contains exactly this name. */
export const row = (page: Page, name: string): Locator =>
  page.getByRole("row").filter({ has: page.getByText(name, { exact: true }) });
