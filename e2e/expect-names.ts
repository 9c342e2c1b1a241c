import { expect } from "bun:test";
import type { Page } from "playwright-core";
import { eventually } from "../test/expectations.ts";

/** Waits until the list of the files page has exactly these names; fails with those that it has instead. */
export async function expectNames(page: Page, names: readonly string[]): Promise<void> {
  const links = page.getByRole("grid").getByRole("link");
  let listed: string[] = [];
  const isListed = async (): Promise<boolean> => {
    listed = await links.allTextContents();
    return Bun.deepEquals(listed, [...names]);
  };
  await eventually("the names are listed", isListed, 60_000).catch(() => undefined);
  expect(listed).toEqual([...names]);
}
