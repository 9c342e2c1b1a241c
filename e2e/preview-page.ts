import type { Page } from "playwright-core";
import type { Device, Visit, VisitOptions } from "./browser.ts";
import type { BrowserFixture } from "./browser-fixture.ts";

export const previewOf = (page: Page, name: string) =>
  page.getByRole("dialog", { name: `Preview of ${name}`, exact: true });

/** Opens the preview of a file from the list of its folder. */
export async function visitPreview(
  fixture: BrowserFixture,
  path: string,
  options: VisitOptions & { readonly device?: Device } = {},
): Promise<Visit> {
  const visit = await fixture.signedIn({ reducedMotion: true, ...options });
  const slash = path.lastIndexOf("/");
  const name = path.slice(slash + 1);
  await visit.page.goto(`/files/${path.slice(0, slash)}?sort=name&dir=asc&view=list`);
  await visit.page.getByRole("row", { name }).getByRole("link").click();
  await previewOf(visit.page, name).waitFor();
  return visit;
}

/** Waits until the content of the preview has the focus. */
export const waitForFocus = (page: Page) =>
  page.waitForFunction(() => document.activeElement?.matches("dialog [data-content]"));
