import type { SharedLimits } from "../instance/shared-limits.ts";
import type { SharedState } from "./shared-state.ts";

/** The shared state of a server with a single process. */
export function singleProcessState({ limits, throttle, state }: SharedLimits): SharedState {
  return {
    isOnlyProcess: true,
    workerId: crypto.randomUUID(),
    limits,
    throttle,
    limitStoreState: async () => state(),
    settingsChanged: async () => {},
    flushPeers: async () => {},
    scrubNow: async () => {},
    workerCounts: async () => ({ configured: 1, running: 1 }),
  };
}
