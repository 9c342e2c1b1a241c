import { useSyncExternalStore } from "react";
import type { Fetch } from "../../../sdk/src/holdall.ts";
import { basePath } from "./location.ts";

const PROBE_MS = 3_000;

let lost = false;
const listeners = new Set<() => void>();
const reconnectListeners = new Set<() => void>();

function setLost(isLost: boolean): void {
  if (lost === isLost) return;
  lost = isLost;
  for (const listener of listeners) listener();
  if (isLost) setTimeout(probe, PROBE_MS);
  else for (const listener of reconnectListeners) listener();
}

async function probe(): Promise<void> {
  if (!lost) return;
  try {
    const response = await fetch(`${basePath}/api/health`, { cache: "no-store" });
    if (response.status < 500) return setLost(false);
  } catch {
    // Still unreachable.
  }
  setTimeout(probe, PROBE_MS);
}

/** `fetch` that detects when the server cannot be reached, and then probes until it can be. */
export const monitoredFetch: Fetch = async (url, init) => {
  try {
    const response = await fetch(url, init);
    setLost(false);
    return response;
  } catch (error) {
    if (!(init.signal?.aborted ?? false)) setLost(true);
    throw error;
  }
};

/** Calls `listener` each time the server becomes reachable again. */
export function onReconnect(listener: () => void): void {
  reconnectListeners.add(listener);
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
