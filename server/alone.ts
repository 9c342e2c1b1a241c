import type { Budget } from "../contract/operation.ts";
import type { Config } from "./config.ts";
import { createMemoryLimit } from "./limits/memory.ts";
import type { RateLimit } from "./limits/port.ts";
import type { Team } from "./workers/team.ts";

/** The team of a server's only process. */
export function alone(config: Config): Team {
  return {
    name: crypto.randomUUID(),
    limits: createLimits(config),
    throttle: undefined,
    settingsChanged: async () => {},
    notesWanted: async () => {},
  };
}

/** As the configuration says, in this process's memory. */
export const createLimits = (config: Config): Readonly<Record<Budget, RateLimit>> => ({
  api: createMemoryLimit({ limit: config.apiRequestsPerMinute }),
  hosting: createMemoryLimit({ limit: config.hostingRequestsPerMinute }),
});
