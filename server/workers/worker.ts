import type { Config } from "../config/config.ts";
import { openInstance } from "../instance/open-instance.ts";
import { type LimitName, type RateLimit, unlimited } from "../limits/port.ts";
import { createLog } from "../log.ts";
import type { Assignment, SupervisorRpc, WorkerRpc } from "./rpc.ts";
import { createRpcChannel, type MessageBatch, type RpcChannel } from "./rpc-channel.ts";
import type { CreateService, Service } from "./service.ts";
import type { SharedState } from "./shared-state.ts";

/** A worker process, driven by its supervisor. */
export interface Worker {
  receive(batch: MessageBatch): void;
  /** Drains the service, if it has started. */
  drain(): Promise<void>;
  /** Stops the service, if it has started, and exits. */
  stop(graceMs: number): Promise<void>;
}

/** `exit` ends the process. */
export function createWorker(
  send: (batch: MessageBatch) => void,
  exit: (code: number) => void,
  createService: CreateService,
): Worker {
  let service: Promise<Service> | undefined;

  async function drain(): Promise<void> {
    const started = await service?.catch(() => undefined);
    await started?.drain();
  }

  async function stop(graceMs: number): Promise<void> {
    const started = await service?.catch(() => undefined);
    await started?.stop(graceMs);
    exit(0);
  }

  const rpc: WorkerRpc = {
    async serve(assignment) {
      service = serve(assignment, channel, createService);
      // The delay lets the rejection reach the supervisor first.
      service.catch(() => setTimeout(exit, EXIT_DELAY_MS, 1));
      await service;
    },
    async onEvent(event) {
      await (await service)?.onEvent(event);
    },
    async readCounts() {
      return (await service)?.readCounts();
    },
    ping() {},
    async startBackgroundJobs() {
      (await service)?.startBackgroundJobs();
    },
    async reclaimLeases(workerId) {
      await (await service)?.reclaimLeases(workerId);
    },
    drain,
    stop,
  };
  const channel: RpcChannel<SupervisorRpc> = createRpcChannel<SupervisorRpc>(send, { ...rpc });
  return { receive: channel.receive, drain, stop };
}

const EXIT_DELAY_MS = 500;

async function serve(
  { config, port, s3Port, workerId, number }: Assignment,
  supervisor: RpcChannel<SupervisorRpc>,
  createService: CreateService,
): Promise<Service> {
  const log = createLog(config.logLevel, { worker: number });
  const instance = await openInstance(config, {
    mode: "worker",
    log,
    change: (name, input, actor) => supervisor.call("change", { name, input, actor }),
  });
  const state = workerState({ workerId, config }, supervisor);
  const service = await createService(instance, log, state);
  service.listen({ port, s3Port }, "shared");
  return service;
}

/** The shared state of a worker process: the supervisor counts for all workers. */
function workerState(
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
    peerCounts: () => supervisor.call("peerCounts", null),
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
