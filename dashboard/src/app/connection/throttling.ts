import { createStore, useStore } from "../store.ts";

/** When the server takes requests again, in milliseconds of `Date.now`; 0: it does. */
const refusedUntil = createStore(0);

interface Sent {
  readonly url: string;
  readonly method: string | undefined;
}

/**
 * Notices a 429, unless it answers a password or a code: then there were too many failed attempts, and
 * the form says so.
 */
export function noticeRefusal(response: Response, { url, method = "GET" }: Sent): void {
  if (response.status !== 429) return;
  if (method !== "GET" && new URL(url, location.href).pathname.includes("/auth/")) return;
  const seconds = Number(response.headers.get("retry-after") ?? 1);
  const until = Date.now() + Math.max(1, seconds) * 1_000;
  if (until <= refusedUntil.get()) return;
  refusedUntil.set(until);
  setTimeout(() => {
    if (refusedUntil.get() === until) refusedUntil.set(0);
  }, until - Date.now());
}

/** When the server takes requests again, in milliseconds of `Date.now`; 0: it does. */
export const useRefusedUntil = (): number => useStore(refusedUntil);
