import type { Page, Request, Route } from "playwright-core";
import { eventually } from "../test/expectations.ts";

export interface HeldRequests {
  /** Resolves when this many requests are held. */
  until(count: number): Promise<void>;
  /** Sends those that are held, and from now on all others. */
  release(): Promise<void>;
}

/** Holds requests back, so that an upload stays where it is however slow the machine is. */
export async function holdRequests(
  page: Page,
  url: string,
  isHeld: (request: Request) => boolean,
): Promise<HeldRequests> {
  const held: Route[] = [];
  let isReleased = false;
  const hold = (route: Route) => {
    if (isReleased || !isHeld(route.request())) return route.fallback();
    held.push(route);
    return undefined;
  };
  await page.route(url, hold);
  return {
    until: (count) => eventually(`${count} requests are held`, () => held.length >= count),
    async release() {
      isReleased = true;
      // The page may have aborted them.
      const routes = held.splice(0);
      await Promise.all(routes.map((route) => route.fallback().catch(() => undefined)));
      // The body of each request to a route passes through the test.
      await page.unroute(url, hold);
    },
  };
}
