import type { SharedCounts } from "../instance/shared-counts.ts";
import type { Team } from "./shared-state.ts";

/** The team of a server's only process. */
export function alone({ limits, throttle, state }: SharedCounts): Team {
  return {
    name: crypto.randomUUID(),
    limits,
    throttle,
    countsState: async () => state(),
    settingsChanged: async () => {},
    notesWanted: async () => {},
  };
}
