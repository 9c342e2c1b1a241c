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
    const answer = await fetch(`${base}/api/health`, { cache: "no-store" });
    if (answer.status < 500) return set(false);
  } catch {
    // Still away.
  }
  setTimeout(probe, PROBE_MS);
}

/** `fetch`, which notices when the server cannot be reached and asks until it can be. */
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

/** Runs `listener` each time that the server can be reached again. */
export function whenBack(listener: () => void): void {
  onBack.add(listener);
}

/** Whether the last request found no server. */
export function useConnectionLost(): boolean {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => lost,
  );
}
