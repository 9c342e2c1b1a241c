import type { Budget } from "../../contract/operation.ts";
import type { Config } from "../config/config.ts";
import { type RateLimit, unlimited } from "../limits/port.ts";
import type { Assignment, SupervisorRpc } from "./rpc.ts";
import type { RpcChannel } from "./rpc-channel.ts";
import type { SharedState } from "./shared-state.ts";

/** The sharedState of a worker process: at the other end of the channel one process counts for all. */
export function workerState(
  { name, config }: Pick<Assignment, "name" | "config">,
  supervisor: RpcChannel<SupervisorRpc>,
): SharedState {
  const limit = (budget: Budget): RateLimit =>
    requestsPerMinute(config, budget) === 0
      ? unlimited
      : { take: (client) => supervisor.call("count", { budget, client }) };

  return {
    name,
    limits: { api: limit("api"), hosting: limit("hosting") },
    throttle: {
      attempt: (...subjects) => supervisor.call("attempt", subjects),
      forgive: (...subjects) => supervisor.call("forgive", subjects),
    },
    limitStoreState: () => supervisor.call("limitStoreState", null),
    settingsChanged: () => supervisor.call("broadcast", "settings changed"),
    flushPeers: () => supervisor.call("broadcast", "flush"),
  };
}

const requestsPerMinute = (config: Config, budget: Budget): number =>
  budget === "api" ? config.apiRequestsPerMinute : config.hostingRequestsPerMinute;
