import type { Page, Request } from "playwright-core";

export interface HeldThumbnails {
  /** How many requests have been held. */
  count(): number;
  /** Sends all requests from now on; those that are held stay so. */
  stop(): void;
  /** Whether the page has cancelled every request that was held. */
  areCancelled(): boolean;
}

/** Holds the requests for thumbnails back, so that a page can scroll past them while they load. */
export async function holdThumbnails(page: Page): Promise<HeldThumbnails> {
  const held: Request[] = [];
  const cancelled = new Set<Request>();
  let isStopped = false;
  await page.route(/size=small/, async (route) => {
    if (isStopped) return route.continue();
    held.push(route.request());
  });
  page.on("requestfailed", (request) => cancelled.add(request));
  return {
    count: () => held.length,
    stop() {
      isStopped = true;
    },
    areCancelled: () => held.every((request) => cancelled.has(request)),
  };
}
