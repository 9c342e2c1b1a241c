import type { BrowserContext } from "playwright-core";

/** Cookies of a signed-in browser. */
export type Cookies = Awaited<ReturnType<BrowserContext["cookies"]>>;

/** A running server whose folder `top/0/0` contains all files, and a session on it. */
export interface DashboardSite {
  readonly url: string;
  readonly cookies: Cookies;
}
