import type { Page } from "playwright-core";

/** Waits until nothing is loading and pending resize and scroll events have been delivered. */
export async function waitUntilIdle(page: Page): Promise<void> {
  await page.waitForFunction(() => document.querySelector("[aria-busy=true]") === null);
  await page.evaluate(async () => {
    for (let frames = 0; frames < 2; frames += 1) await new Promise(requestAnimationFrame);
  });
}
