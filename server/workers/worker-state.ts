import type { Config } from "../config/config.ts";
import { type LimitName, type RateLimit, unlimited } from "../limits/port.ts";
import type { Assignment, SupervisorRpc } from "./rpc.ts";
import type { RpcChannel } from "./rpc-channel.ts";
import type { SharedState } from "./shared-state.ts";

/** The shared state of a worker process: the supervisor counts for all workers. */
export function workerState(
  { workerId, config }: Pick<Assignment, "workerId" | "config">,
  supervisor: RpcChannel<SupervisorRpc>,
): SharedState {
  const limit = (budget: LimitName): RateLimit =>
    requestsPerMinute(config, budget) === 0
      ? unlimited
      : { take: (client) => supervisor.call("countRequest", { budget, client }) };

  return {
    workerId,
    limits: {
      api: limit("api"),
      hosting: limit("hosting"),
      links: limit("links"),
      s3: limit("s3"),
      sessions: limit("sessions"),
    },
    throttle: {
      begin: (...subjects) => supervisor.call("beginPasswordAttempt", subjects),
      end: (outcome, ...subjects) => supervisor.call("endPasswordAttempt", { outcome, subjects }),
    },
    limitStoreState: () => supervisor.call("limitStoreState", null),
    isOnlyProcess: false,
    settingsChanged: () => supervisor.call("broadcast", "settings changed"),
    flushPeers: () => supervisor.call("broadcast", "flush"),
    scrubNow: () => supervisor.call("broadcast", "scrub now"),
    workerCounts: () => supervisor.call("workerCounts", null),
    noteJobs: (states) => void supervisor.call("noteJobs", states).catch(() => {}),
    jobs: () => supervisor.call("jobs", null),
  };
}

const requestsPerMinute = (config: Config, budget: LimitName): number =>
  ({
    api: config.apiRequestsPerMinute,
    hosting: config.hostingRequestsPerMinute,
    links: config.linkRequestsPerMinute,
    s3: config.s3RequestsPerMinute,
    sessions: config.sessionRequestsPerMinute,
  })[budget];
