import type { Page } from "playwright-core";
import type { Step } from "./steps.ts";
import { waitUntilIdle } from "./wait-until-idle.ts";

/** A state of a page, checked by axe and shown by `npm run screenshots`. */
export interface PageState {
  /** Also the file name of its screenshots. */
  readonly name: string;
  readonly path: string;
  /** Visited without signing in. */
  readonly anonymous?: boolean;
  /** Runs before the page is opened. */
  readonly before?: Step;
  /** Selector of the part to check; another state covers the rest. */
  readonly selector?: string;
  /** Brings the opened page into the state. */
  readonly prepare?: Step;
}

/** Pages whose state has routes. A page that has none stays in its process. */
const routed = new WeakSet<Page>();

/** Brings a page into the state, whatever it showed before, and waits until it is idle. */
export async function enterState(page: Page, state: PageState): Promise<void> {
  if (routed.delete(page)) {
    // Leaves the page first: the requests that its state makes hang would be sent when the routes end.
    await page.goto("about:blank");
    // A handler may be at work for a request of the page that was left.
    await page.unrouteAll({ behavior: "ignoreErrors" });
  }
  if (state.before !== undefined) {
    routed.add(page);
    await state.before(page);
  }
  if (state.anonymous !== true) await forgetUploads(page);
  await page.goto(state.path);
  await page.getByRole("heading", { level: 1 }).first().waitFor();
  await waitUntilIdle(page);
  await state.prepare?.(page);
  if (state.selector !== undefined) await page.locator(state.selector).waitFor();
  await waitUntilIdle(page);
}

/** The next state would show uploads that an earlier one started. */
const forgetUploads = (page: Page): Promise<void> =>
  page.evaluate(() => {
    if (location.protocol !== "about:") indexedDB.deleteDatabase("holdall-uploads");
  });
