import type { Budget } from "../../contract/operation.ts";
import type { Config } from "../config/config.ts";
import { type RateLimit, unlimited } from "../limits/port.ts";
import type { Assignment, SupervisorDeeds } from "./rpc.ts";
import type { Line } from "./rpc-channel.ts";
import type { Team } from "./shared-state.ts";

/** The team of a worker process: at the other end of the line one process counts for all. */
export function createMember(
  { name, config }: Pick<Assignment, "name" | "config">,
  supervisor: Line<SupervisorDeeds>,
): Team {
  const limit = (budget: Budget): RateLimit =>
    requestsPerMinute(config, budget) === 0
      ? unlimited
      : { take: (client) => supervisor.ask("count", { budget, client }) };

  return {
    name,
    limits: { api: limit("api"), hosting: limit("hosting") },
    throttle: {
      attempt: (...subjects) => supervisor.ask("attempt", subjects),
      forgive: (...subjects) => supervisor.ask("forgive", subjects),
    },
    countsState: () => supervisor.ask("countsState", null),
    settingsChanged: () => supervisor.ask("tellOthers", "settings"),
    notesWanted: () => supervisor.ask("tellOthers", "notes"),
  };
}

const requestsPerMinute = (config: Config, budget: Budget): number =>
  budget === "api" ? config.apiRequestsPerMinute : config.hostingRequestsPerMinute;
