import { expect } from "bun:test";
import type { Page } from "playwright-core";
import { eventually } from "../test/expectations.ts";

/** Waits until the list of the files page has exactly these names; fails with those that it has instead. */
export async function expectNames(page: Page, names: readonly string[]): Promise<void> {
  const links = page.getByRole("grid").getByRole("link");
  const isListed = async () => Bun.deepEquals(await links.allTextContents(), [...names]);
  await eventually("the names are listed", isListed, 60_000).catch(() => undefined);
  expect(await links.allTextContents()).toEqual([...names]);
}
