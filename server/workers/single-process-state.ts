import type { SharedLimits } from "../instance/shared-limits.ts";
import type { SharedState } from "./shared-state.ts";

/** The sharedState of a server's only process. */
export function singleProcessState({ limits, throttle, state }: SharedLimits): SharedState {
  return {
    name: crypto.randomUUID(),
    limits,
    throttle,
    limitStoreState: async () => state(),
    settingsChanged: async () => {},
    flushPeers: async () => {},
  };
}
