import type { Blobs } from "../blobs/port.ts";
import type { Catalog } from "../catalog/port/catalog.ts";
import { SYSTEM } from "../domain/callers/caller.ts";
import { readScrub, type ScrubState } from "../files/verify/scrub-state.ts";
import { cacheCount } from "../insight/cache-count.ts";
import type { Statistics } from "../insight/statistics.ts";
import type { LimitStoreState } from "../limits/port.ts";
import {
  type BackupRecord,
  readBackupRecord,
  readVerificationRecord,
  type VerificationRecord,
} from "./maintenance-records.ts";
import { probe } from "./readiness.ts";

/** The state of the instance, for its operator. */
export interface Health {
  /** Reads no files. Counts of rows are cached: longer if there are more of them. */
  read(): Promise<HealthReport>;
  /**
   * Starts a scrub now; none if one is running. Resolves once `read` shows it. It goes on in the
   * background.
   */
  startScrub(): Promise<void>;
}

export interface HealthReport {
  /** The `DATA_PATH` that commands on the server need; null: the default. */
  readonly dataPath: string | null;
  readonly parts: readonly PartState[];
  readonly workers: WorkerCounts;
  /** Empty until the leader's first sweep. */
  readonly jobs: readonly JobState[];
  readonly statistics: Pick<Statistics, "files" | "bytes">;
  readonly trash: { readonly files: number; readonly bytes: number };
  readonly versions: { readonly versions: number; readonly bytes: number };
  /** null: the volume of the data folder does not respond. */
  readonly volume: VolumeSpace | null;
  /** In bytes; null: unknown. */
  readonly catalogSize: number | null;
  readonly openUploads: number;
  readonly scrub: ScrubState | undefined;
  readonly schedule: ScrubSchedule;
  readonly verification: VerificationRecord | undefined;
  readonly backup: BackupRecord | undefined;
  /** The names of the folders in the quarantine, oldest first; null: the volume does not respond. */
  readonly quarantine: readonly string[] | null;
  readonly lostRecords: { readonly since: string; readonly reason: string } | undefined;
}

export interface PartState {
  readonly part: "catalog" | "blobs" | "redis";
  readonly kind: "sqlite" | "postgres" | "disk" | "s3" | "redis";
  /** undefined: it responds. */
  readonly problem: string | undefined;
}

/** A background job of this server. */
export interface JobState {
  readonly name: string;
  /** Milliseconds since the Unix epoch; null: not since the server started. */
  readonly succeededAt: number | null;
  /** The message of the last failure since the server started, even if the job has succeeded since. */
  readonly lastError: string | null;
  /** Failures since the last success. */
  readonly failures: number;
}

export interface WorkerCounts {
  readonly configured: number;
  readonly running: number;
}

/** In bytes. */
export interface VolumeSpace {
  readonly free: number;
  readonly size: number;
}

export interface ScrubSchedule {
  /** Milliseconds from the start of one scrub to the start of the next; null: only on request. */
  readonly every: number | null;
  /** Bytes per second. */
  readonly rate: number;
}

export interface HealthDeps {
  readonly dataPath: string | null;
  readonly catalog: Catalog;
  readonly blobs: Pick<Blobs, "ping">;
  readonly kinds: {
    readonly catalog: "sqlite" | "postgres";
    readonly blobs: "disk" | "s3";
    readonly redis: boolean;
  };
  readonly readStatistics: () => Promise<Statistics>;
  readonly limitStoreState: () => Promise<LimitStoreState>;
  readonly workers: () => Promise<WorkerCounts>;
  readonly jobs: () => Promise<readonly JobState[]>;
  readonly volume: () => Promise<VolumeSpace>;
  readonly quarantine: () => Promise<readonly string[]>;
  readonly lostRecords: () => HealthReport["lostRecords"];
  readonly schedule: ScrubSchedule;
  readonly startScrub: () => Promise<void>;
}

type Totals = Pick<HealthReport, "trash" | "versions">;

const TIMEOUT_MS = 3000;
/** All callers share one report for this long. */
const CACHE_MS = 1000;

export function createHealth(deps: HealthDeps): Health {
  const { catalog } = deps;
  const readTotals = cacheCount(async () => ({
    trash: await catalog.trashTotals(SYSTEM),
    versions: await catalog.versionTotals(),
  }));
  let cached: { readonly report: Promise<HealthReport>; readonly expiresAt: number } | undefined;

  return {
    read() {
      const now = performance.now();
      if (cached === undefined || now >= cached.expiresAt) {
        cached = { report: report(deps, readTotals), expiresAt: now + CACHE_MS };
      }
      return cached.report;
    },
    async startScrub() {
      await deps.startScrub();
      cached = undefined;
    },
  };
}

async function report(deps: HealthDeps, readTotals: () => Promise<Totals>): Promise<HealthReport> {
  const { catalog, schedule } = deps;
  const [states, volume] = await Promise.all([partStates(deps), volumeOf(deps)]);
  return {
    parts: states,
    dataPath: deps.dataPath,
    volume,
    schedule,
    workers: await deps.workers(),
    jobs: await deps.jobs(),
    statistics: await deps.readStatistics(),
    ...(await readTotals()),
    catalogSize: await catalog.catalogSize(),
    openUploads: (await catalog.openUploads()).count,
    scrub: await readScrub(catalog),
    verification: await readVerificationRecord(catalog),
    backup: await readBackupRecord(catalog),
    // Reading from a volume that does not respond would block.
    quarantine: volume === null ? null : await deps.quarantine(),
    lostRecords: volume === null ? undefined : deps.lostRecords(),
  };
}

async function partStates({
  catalog,
  blobs,
  kinds,
  limitStoreState,
}: HealthDeps): Promise<PartState[]> {
  const [catalogProblem, blobProblem] = await Promise.all([
    probe("catalog", () => catalog.ping(), TIMEOUT_MS),
    probe("blob store", () => blobs.ping(), TIMEOUT_MS),
  ]);
  const states: PartState[] = [
    { part: "catalog", kind: kinds.catalog, problem: sentence(catalogProblem) },
    { part: "blobs", kind: kinds.blobs, problem: sentence(blobProblem) },
  ];
  if (!kinds.redis) return states;
  const isConnected = (await limitStoreState()) === "connected";
  return [...states, { part: "redis", kind: "redis", problem: isConnected ? undefined : NO_REDIS }];
}

const NO_REDIS = "Redis cannot be used; the log says why. Each server counts requests separately.";

const sentence = (text: string | undefined): string | undefined =>
  text && `${text.charAt(0).toUpperCase()}${text.slice(1)}`;

/** A network volume may not respond. */
async function volumeOf({ volume }: HealthDeps): Promise<VolumeSpace | null> {
  let space: VolumeSpace | null = null;
  const ask = async (): Promise<void> => {
    space = await volume();
  };
  await probe("data folder", ask, TIMEOUT_MS);
  return space;
}
