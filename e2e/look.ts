import type { Locator, Page } from "playwright-core";
import { eventually } from "../test/expectations.ts";
import type { Device, VisitOptions } from "./browser.ts";
import type { BrowserFixture } from "./browser-fixture.ts";

export interface ShowOptions extends VisitOptions {
  readonly device?: Device;
  readonly view?: "list" | "grid";
}

/** Shows a folder with these files, in the order of their names. */
export async function show(
  fixture: BrowserFixture,
  folder: string,
  files: readonly string[],
  { view = "list", ...options }: ShowOptions = {},
): Promise<Page> {
  for (const name of files) await fixture.seed.file(`${folder}/${name}`);
  const { page } = await fixture.signedIn({ reducedMotion: true, ...options });
  await page.goto(`/files/${folder}?sort=name&dir=asc&view=${view}`);
  await page.getByRole("grid").waitFor();
  return page;
}

/** The checkbox of a row or tile. */
export const checkboxOf = (page: Page, name: string): Locator =>
  page.getByRole("checkbox", { name: `Select ${name}` });

export const tile = (page: Page, name: string): Locator =>
  page.getByRole("gridcell").filter({ has: page.getByText(name, { exact: true }) });

export const styleOf = (locator: Locator, property: string): Promise<string> =>
  locator.evaluate((element, name) => getComputedStyle(element).getPropertyValue(name), property);

export interface Box {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
  readonly right: number;
  readonly bottom: number;
}

/** The place of an element that is in view. */
export async function boxOf(locator: Locator): Promise<Box> {
  const box = await locator.boundingBox();
  if (box === null) throw new Error("The element is not in view.");
  return { ...box, right: box.x + box.width, bottom: box.y + box.height };
}

/** How visible an element is, together with what it is in. */
export const opacityOf = (locator: Locator): Promise<number> =>
  locator.evaluate((element) => {
    let opacity = 1;
    for (let at: Element | null = element; at !== null; at = at.parentElement) {
      opacity *= Number(getComputedStyle(at).opacity);
    }
    return opacity;
  });

export const waitForOpacity = (locator: Locator, opacity: number): Promise<void> =>
  eventually(`the opacity is ${opacity}`, async () => (await opacityOf(locator)) === opacity);
