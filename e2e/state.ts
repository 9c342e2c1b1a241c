import type { Page } from "playwright-core";
import type { Step } from "./steps.ts";

/** A page as it looks at some moment: axe looks at it, and `npm run screenshots` shows it. */
export interface State {
  /** Also the name of its screenshots. */
  readonly name: string;
  readonly path: string;
  /** Seen by somebody who is not signed in. */
  readonly stranger?: boolean;
  /** Done before the page is opened. */
  readonly before?: Step;
  /** The part that is new in it: axe has looked at the rest in another state. */
  readonly part?: string;
  /** What is done on the page until it looks like that. */
  readonly prepare?: Step;
}

/** Brings the page into the state, whatever it showed before, and waits until nothing is read. */
export async function enter(page: Page, state: State): Promise<void> {
  await page.unrouteAll();
  await state.before?.(page);
  await page.goto(state.path);
  await page.getByRole("heading", { level: 1 }).first().waitFor();
  await settled(page);
  await state.prepare?.(page);
  if (state.part !== undefined) await page.locator(state.part).waitFor();
  await settled(page);
}

/** Nothing is being read, and what the browser had to tell of sizes and scrolling has been told. */
export async function settled(page: Page): Promise<void> {
  await page.waitForFunction(() => document.querySelector("[aria-busy=true]") === null);
  await page.evaluate(async () => {
    for (let frames = 0; frames < 2; frames += 1) await new Promise(requestAnimationFrame);
  });
}
