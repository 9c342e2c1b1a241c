import type { Fetch } from "../../../../sdk/src/holdall.ts";
import { basePath } from "../navigation/location.ts";
import { createStore, useStore } from "../store.ts";
import { noticeRefusal } from "./throttling.ts";

const PROBE_MS = 3_000;

const lost = createStore(false);
const reconnectListeners = new Set<() => void>();

function setLost(isLost: boolean): void {
  if (lost.get() === isLost) return;
  lost.set(isLost);
  if (isLost) setTimeout(probe, PROBE_MS);
  else for (const listener of reconnectListeners) listener();
}

async function probe(): Promise<void> {
  if (!lost.get()) return;
  try {
    const response = await fetch(`${basePath}/api/health`, { cache: "no-store" });
    if (response.status < 500) return setLost(false);
  } catch {
    // Still unreachable.
  }
  setTimeout(probe, PROBE_MS);
}

/**
 * `fetch` that detects when the server cannot be reached, and then probes until it can be. Also notices
 * that the server refuses requests because there are too many.
 */
export const monitoredFetch: Fetch = async (url, init) => {
  try {
    const response = await fetch(url, init);
    setLost(false);
    noticeRefusal(response, { url, method: init.method });
    return response;
  } catch (error) {
    if (!(init.signal?.aborted ?? false)) setLost(true);
    throw error;
  }
};

/** Finds out whether the server can be reached, after something else than `monitoredFetch` failed. */
export async function checkConnection(): Promise<boolean> {
  try {
    return (await monitoredFetch(`${basePath}/api/health`, { cache: "no-store" })).status < 500;
  } catch {
    return false;
  }
}

/** Calls `listener` each time the server becomes reachable again. Returns the unsubscriber. */
export function onReconnect(listener: () => void): () => void {
  reconnectListeners.add(listener);
  return () => {
    reconnectListeners.delete(listener);
  };
}

/** Whether the last request failed to reach the server. */
export const useConnectionLost = (): boolean => useStore(lost);
