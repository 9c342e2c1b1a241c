import { type Config, ConfigError } from "../config/config.ts";
import { AddressError } from "../domain/listen-address.ts";
import { createInitialAccess } from "../instance/initial-access.ts";
import { createInitialBuckets } from "../instance/initial-buckets.ts";
import { openInstance } from "../instance/open-instance.ts";
import { openSharedLimits, type SharedLimits } from "../instance/shared-limits.ts";
import { startupInfo } from "../instance/startup-info.ts";
import type { Log } from "../log.ts";
import { ownProgram, spawn } from "../runtime/processes.ts";
import { serve } from "../runtime/serve.ts";
import type { SupervisorRpc } from "./rpc.ts";
import type { App } from "./service.ts";
import { createWorkerPool, type LaunchWorker, type WorkerPoolEvent } from "./worker-pool.ts";

/**
 * A server in several processes: this one locks the data folder, writes to an SQLite catalog, counts
 * requests for all of them and replaces those that exit; the workers serve. Error: the
 * data folder cannot be served; the message says why.
 */
export async function createSupervisor(config: Config, log: Log): Promise<App> {
  requireLinux();
  const instance = await openInstance(config, { mode: "supervisor", log });
  const { change } = instance;
  // Opened once before any worker, so that a problem with the store is reported once.
  await instance.openBlobs();
  const port = findPort(config.host, config.port);
  const s3Port = config.s3Port === null ? null : findS3Port(config.host, config.s3Port);
  const access = instance.openAccess();
  await createInitialAccess(access, config);
  await createInitialBuckets(instance.catalog, config, log);
  const sharedLimits = await openSharedLimits(config, log);
  const pool = createWorkerPool({
    size: config.workers,
    launch: launchWorker,
    assignment: { config: { ...config, authSecret: instance.secret() }, port, s3Port },
    shared: {
      ...limitMethods(sharedLimits),
      change: ({ name, input, actor }) => change(name, input, actor),
    },
    onEvent: (event) => logPoolEvent(log, event),
  });

  async function stop(graceMs: number): Promise<void> {
    await pool.stop(graceMs);
    sharedLimits.close();
    await instance.close();
  }

  return {
    async start() {
      try {
        await pool.start();
      } catch (cause) {
        await stop(0);
        throw cause;
      }
      return startupInfo(config, port, access);
    },
    drain: pool.drain,
    stop,
  };
}

/** Starts this program as a worker. Messages go over an IPC socket that closes when either process ends. */
const launchWorker: LaunchWorker = (receive) => {
  const child = spawn([process.execPath, ...ownProgram, "worker"], {
    stdin: "ignore",
    stdout: "inherit",
    stderr: "inherit",
    serialization: "advanced",
    ipc: receive,
  });
  return {
    pid: child.pid,
    exited: child.exited.then(() => ({ code: child.exitCode, signal: child.signalCode })),
    send(batch) {
      try {
        child.send(batch);
      } catch {
        // It has exited, which `exited` reports.
      }
    },
    kill: () => child.kill("SIGKILL"),
  };
};

function requireLinux(): void {
  if (process.platform === "linux") return;
  throw new ConfigError(
    `WORKERS must be 1 on ${process.platform}: only Linux distributes the connections of one port among several processes.`,
  );
}

/** Error: the runtime's, when the port cannot be used. */
function findPort(host: string, port: number): number {
  // Workers share their port, so without this check they could share it with another server.
  const probe = serve({ hostname: host, port, fetch: () => new Response() });
  const usedPort = probe.port ?? port;
  void probe.stop(true);
  return usedPort;
}

/** Throws AddressError: another program uses the port. */
function findS3Port(host: string, port: number): number {
  try {
    return findPort(host, port);
  } catch (cause) {
    throw new AddressError("S3_PORT", String(port), cause);
  }
}

/** All workers count in the same limits. */
function limitMethods({
  limits,
  throttle,
  state,
}: SharedLimits): Pick<
  SupervisorRpc,
  "countRequest" | "beginPasswordAttempt" | "endPasswordAttempt" | "limitStoreState"
> {
  return {
    countRequest: ({ budget, client }) => limits[budget].take(client),
    beginPasswordAttempt: (subjects) => throttle.begin(...subjects),
    endPasswordAttempt: ({ outcome, subjects }) => throttle.end(outcome, ...subjects),
    limitStoreState: state,
  };
}

function logPoolEvent(log: Log, event: WorkerPoolEvent): void {
  if (event.event === "worker serves") log.debug(event, "pool");
  else if (event.event === "worker failed")
    log.error({ worker: event.worker, err: event.cause }, "A worker failed");
  else if (event.event === "worker answers") log.info(event, "A worker responds again");
  else log.error(event, TROUBLE[event.event]);
}

const TROUBLE = {
  "worker exited": "A worker exited and will be replaced",
  "worker frozen": "A worker does not respond: its process is stopped or hangs",
} as const;
