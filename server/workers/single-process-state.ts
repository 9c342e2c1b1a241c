import type { SharedCounts } from "../instance/shared-counts.ts";
import type { SharedState } from "./shared-state.ts";

/** The sharedState of a server's only process. */
export function singleProcessState({ limits, throttle, state }: SharedCounts): SharedState {
  return {
    name: crypto.randomUUID(),
    limits,
    throttle,
    countsState: async () => state(),
    settingsChanged: async () => {},
    flushPeers: async () => {},
  };
}
