import { useSyncExternalStore } from "react";
import type { Fetch } from "../../../sdk/src/holdall.ts";
import { base } from "./location.ts";

const PROBE_MS = 3_000;

let lost = false;
const listeners = new Set<() => void>();
const onBack = new Set<() => void>();

function set(now: boolean): void {
  if (lost === now) return;
  lost = now;
  for (const listener of listeners) listener();
  if (now) setTimeout(probe, PROBE_MS);
  else for (const listener of onBack) listener();
}

async function probe(): Promise<void> {
  if (!lost) return;
  try {
    const response = await fetch(`${base}/api/health`, { cache: "no-store" });
    if (response.status < 500) return set(false);
  } catch {
    // Still unreachable.
  }
  setTimeout(probe, PROBE_MS);
}

/** `fetch` that detects when the server cannot be reached, and then probes until it can be. */
export const watchedFetch: Fetch = async (url, init) => {
  try {
    const response = await fetch(url, init);
    set(false);
    return response;
  } catch (error) {
    if (!(init.signal?.aborted ?? false)) set(true);
    throw error;
  }
};

/** Calls `listener` each time the server becomes reachable again. */
export function whenBack(listener: () => void): void {
  onBack.add(listener);
}

/** Whether the last request failed to reach the server. */
export function useConnectionLost(): boolean {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => lost,
  );
}
