import { createAccess } from "../access/access.ts";
import { type App, EVENT_LEVELS, endAtOnce, prepareAccess, startupInfo } from "../app.ts";
import { lockFolder } from "../catalog/sqlite/folder-lock.ts";
import { type Config, ConfigError } from "../config/config.ts";
import { claimDisk } from "../instance/claim-disk.ts";
import { compareSecret } from "../instance/compare-secret.ts";
import { claimDataFolder, keptSecret, openDataFolder } from "../instance/data-folder.ts";
import { openBlobs } from "../instance/open-blobs.ts";
import { openSupervisorsCatalog } from "../instance/open-catalog.ts";
import { openSharedLimits, type SharedLimits } from "../instance/shared-limits.ts";
import type { Log } from "../log.ts";
import { launchWorker } from "./launch-worker.ts";
import type { SupervisorRpc } from "./rpc.ts";
import { createWorkerPool, type WorkerPoolEvent } from "./worker-pool.ts";

/**
 * The service in several processes: this one holds the data folder, writes to an SQLite catalog and
 * counts requests for all of them, and replaces those that end; they serve. Errors as of `createApp`.
 */
export async function createSupervisor(config: Config, log: Log): Promise<App> {
  refuseElsewhere();
  const folder = openDataFolder(config.dataPath);
  const lock = lockFolder(folder.path);
  claimDataFolder(folder);
  const { catalog, change } = await openSupervisorsCatalog(config, folder, {
    log: (event) => log[EVENT_LEVELS[event.event]](event, "catalog"),
    onFatal: endAtOnce(log),
  });
  await claimDisk(config, folder, catalog);
  // Whatever is to be said about the store is said once, and before anybody serves.
  await openBlobs(config, folder, catalog, {
    onTrouble: (message) => log.warn(message),
    mustExist: false,
  });
  const authSecret = config.authSecret ?? keptSecret(folder);
  if (config.databaseUrl !== null) await compareSecret(catalog, authSecret, log);
  lock.admitWorkers();
  const port = findPort(config);
  const onError = (message: string, cause: unknown): void => log.error({ err: cause }, message);
  const access = createAccess({ credentials: catalog, onError });
  await prepareAccess(access, config);
  const counts = await openSharedLimits(config, log);
  const pool = createWorkerPool({
    size: config.workers,
    launch: launchWorker,
    assignment: { config: { ...config, authSecret }, port },
    shared: { ...countingFor(counts), change: ({ name, input }) => change(name, input) },
    onEvent: (event) => tell(log, event),
  });

  async function stop(graceMs: number): Promise<void> {
    await pool.stop(graceMs);
    counts.close();
    await catalog.close();
    lock.release();
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
    stop,
  };
}

function refuseElsewhere(): void {
  if (process.platform === "linux") return;
  throw new ConfigError(
    `WORKERS must be 1 on ${process.platform}: only Linux hands the connections of one port to several processes.`,
  );
}

/** Error: the runtime's, where nobody can listen there, or somebody does. */
function findPort({ host, port }: Config): number {
  // The workers could share a port even with a server of another folder, which must not happen.
  const probe = Bun.serve({ hostname: host, port, fetch: () => new Response() });
  const found = probe.port ?? port;
  void probe.stop(true);
  return found;
}

/** One budget and one count of guesses for all workers. */
function countingFor({
  limits,
  throttle,
  state,
}: SharedLimits): Pick<SupervisorRpc, "count" | "attempt" | "forgive" | "limitStoreState"> {
  return {
    count: ({ budget, client }) => limits[budget].take(client),
    attempt: (subjects) => throttle.attempt(...subjects),
    forgive: (subjects) => throttle.forgive(...subjects),
    limitStoreState: state,
  };
}

function tell(log: Log, event: WorkerPoolEvent): void {
  if (event.event === "worker serves") log.debug(event, "pool");
  else if (event.event === "worker ended") log.error(event, "A worker has ended; another follows");
  else log.error({ worker: event.worker, err: event.cause }, "A worker cannot do its part");
}
