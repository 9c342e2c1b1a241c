import type { Page } from "playwright-core";

export interface HeldRequests {
  /** Sends those that wait, and all later ones. */
  release(): Promise<void>;
}

/** Makes matching requests of this method wait until they are released. */
export async function holdRequests(page: Page, url: string, method: string): Promise<HeldRequests> {
  const { promise: released, resolve } = Promise.withResolvers<void>();
  await page.route(url, async (route) => {
    if (route.request().method() === method) await released;
    // A page that was left has cancelled its requests.
    await route.continue().catch(() => undefined);
  });
  return {
    async release() {
      resolve();
      await page.unroute(url);
    },
  };
}
