import type { Config } from "../config/config.ts";
import type { JobState } from "../health/health.ts";
import { createInitialAccess } from "../instance/initial-access.ts";
import { createInitialBuckets } from "../instance/initial-buckets.ts";
import { openInstance } from "../instance/open-instance.ts";
import { openSharedLimits, type SharedLimits } from "../instance/shared-limits.ts";
import { startupInfo } from "../instance/startup-info.ts";
import type { Log } from "../log.ts";
import type { App, CreateService } from "./service.ts";
import type { SharedState } from "./shared-state.ts";

/** A server in this process. Error: the data folder cannot be served; the message says why. */
export async function createSingleProcess(
  config: Config,
  log: Log,
  createService: CreateService,
): Promise<App> {
  const instance = await openInstance(config, { mode: "server", log });
  const sharedLimits = await openSharedLimits(config, log);
  const service = await createService(instance, log, sharedState(sharedLimits));
  await createInitialAccess(service.access, config);
  await createInitialBuckets(instance.catalog, config, log);
  return {
    async start() {
      const port = service.listen({ port: config.port, s3Port: config.s3Port }, "exclusive");
      service.startBackgroundJobs();
      return startupInfo(config, port, service.access);
    },
    drain: service.drain,
    async stop(graceMs) {
      await service.stop(graceMs);
      sharedLimits.close();
    },
  };
}

function sharedState({ limits, throttle, state }: SharedLimits): SharedState {
  let jobs: readonly JobState[] = [];
  return {
    isOnlyProcess: true,
    workerId: crypto.randomUUID(),
    limits,
    throttle,
    limitStoreState: async () => state(),
    settingsChanged: async () => {},
    flushPeers: async () => {},
    scrubNow: async () => {},
    peerCounts: async () => [],
    workerCounts: async () => ({ configured: 1, running: 1 }),
    noteJobs(states) {
      jobs = states;
    },
    jobs: async () => jobs,
  };
}
