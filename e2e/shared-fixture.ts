import { type BrowserFixture, createBrowserFixture } from "./browser-fixture.ts";

let fixture: Promise<BrowserFixture> | undefined;

/**
 * One server for all tests that use folders of their own and do not touch the account. It ends with
 * the process.
 */
export function sharedFixture(): Promise<BrowserFixture> {
  // The states of the accessibility tests alone send more requests per minute than one client may.
  fixture ??= createBrowserFixture({ RATE_LIMIT_API: "0" });
  return fixture;
}
