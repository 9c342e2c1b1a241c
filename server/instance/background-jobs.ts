import type { BlobInspection, Blobs } from "../blobs/port.ts";
import { LEASE_SECONDS } from "../catalog/port/blob-ledger.ts";
import type { Catalog } from "../catalog/port/catalog.ts";
import type { Config } from "../config/config.ts";
import { keepEndedMs, keepMs } from "../domain/keep-time.ts";
import type { Millis } from "../domain/records.ts";
import type { Feed } from "../feed/feed.ts";
import type { Fetches } from "../fetches/fetches.ts";
import type { Files } from "../files/files.ts";
import { endFiles } from "../files/trash/end-files.ts";
import type { DamagedBlob, MissingBlob } from "../files/verify/finding.ts";
import { type Scrub, startScrub } from "../files/verify/scrub.ts";
import type { JobState } from "../health/health.ts";
import type { Images } from "../images/images.ts";
import type { Activity } from "../insight/activity.ts";
import type { Links } from "../links/links.ts";
import type { Log } from "../log.ts";
import type { Objects } from "../objects/objects.ts";
import type { Settings } from "../settings/settings.ts";
import type { Uploads } from "../uploads/uploads.ts";
import type { Webhooks } from "../webhooks/webhooks.ts";
import { createLogFailure } from "./log-failure.ts";
import { type BackgroundJob, createJobRunner } from "./run-jobs.ts";
import type { TrustedClock } from "./trusted-clock.ts";

/** The work that one process of a server, the leader, does for all: the sweep and the scrub. */
export interface BackgroundJobs {
  start(): void;
  /** Removes what dead processes left behind, what has expired in the trash, and old activity, changes and links. Each job logs its own failures; the next sweep retries. */
  sweep(): Promise<void>;
  /** Starts a scrub now, if this process is the leader; see `Scrub`. */
  startScrub(): Promise<void>;
  stop(): Promise<void>;
}

export interface BackgroundJobsDeps {
  readonly config: Pick<Config, "scrubEvery" | "scrubRate">;
  readonly log: Log;
  readonly catalog: Catalog;
  readonly clock: TrustedClock;
  readonly blobs: Blobs & BlobInspection;
  readonly files: Pick<Files, "sweep">;
  readonly uploads: Pick<Uploads, "removeExpired">;
  readonly images: Pick<Images, "prune">;
  readonly links: Pick<Links, "removeEnded">;
  readonly objects: Pick<Objects, "removeExpired">;
  readonly activity: Pick<Activity, "prune">;
  readonly feed: Pick<Feed, "prune">;
  readonly webhooks: Pick<Webhooks, "prune" | "announce">;
  readonly fetches: Pick<Fetches, "prune">;
  readonly settings: Pick<Settings, "current" | "fresh">;
  readonly onStates: (states: readonly JobState[]) => void;
}

/**
 * Time between two sweeps, for leftovers of interrupted deletions and for expired leases. So the
 * leftovers of a killed process are gone within the duration of two leases.
 */
const SWEEP_MS = (LEASE_SECONDS * 1000 * 2) / 3;

/** Items and versions in one transaction: a deletion of many files takes several. */
const EXPIRED_AT_ONCE = 200;

/** The numbers of quotas are right after every change; a recount finds what was changed without Holdall. */
const RECOUNT_MS = 24 * 3_600_000;

export function createBackgroundJobs(deps: BackgroundJobsDeps): BackgroundJobs {
  const { log, onStates } = deps;
  let timer: Timer | undefined;
  let scrub: Scrub | undefined;
  let isStopped = false;
  const runner = createJobRunner({
    jobs: sweepJobs(deps),
    log,
    onStates,
    isStopped: () => isStopped,
  });

  return {
    start() {
      timer ??= setInterval(() => void runner.run(), SWEEP_MS);
      scrub ??= startConfiguredScrub(deps);
      void runner.run();
    },
    sweep: runner.run,
    async startScrub() {
      await scrub?.startNow();
    },
    async stop() {
      isStopped = true;
      clearInterval(timer);
      await scrub?.stop();
    },
  };
}

/** The jobs of a sweep. */
function sweepJobs(deps: BackgroundJobsDeps): BackgroundJob[] {
  const { log, catalog, files, images, uploads, links, objects, activity, feed } = deps;
  const trustedNow = shareWhilePending(async () => {
    await deps.settings.fresh();
    return deps.clock.now();
  });
  /** A job that destroys by age. It does nothing while the clock is not trusted. */
  const byAge = (name: string, remove: (now: Millis) => Promise<unknown>): BackgroundJob => ({
    name,
    async run() {
      const now = await trustedNow();
      if (now !== undefined) await remove(now);
    },
  });

  return [
    byAge("expired uploads", uploads.removeExpired),
    byAge("expired S3 uploads", objects.removeExpired),
    byAge("ended links", links.removeEnded),
    byAge("ended files", async () => {
      await endFiles(catalog, keepEndedMs(deps.settings.current()));
    }),
    byAge("expired trash and versions", async () => {
      while (await catalog.expireTrash(EXPIRED_AT_ONCE));
    }),
    byAge("old changes to undo", (now) =>
      catalog.pruneUndo({ before: now - keepMs(deps.settings.current()) }),
    ),
    byAge("old activity", activity.prune),
    byAge("old changes", feed.prune),
    byAge("old deliveries of webhooks", deps.webhooks.prune),
    byAge("old files from URLs", deps.fetches.prune),
    {
      name: "trash totals",
      async run() {
        while (await catalog.countTrash());
      },
    },
    {
      name: "quotas",
      async run() {
        for (const id of await catalog.dueRecounts(catalog.now() - RECOUNT_MS)) {
          const drift = await catalog.recountQuota(id);
          if (drift === undefined || (drift.bytes === 0 && drift.files === 0)) continue;
          log.info(drift, "Corrected the numbers of a quota");
        }
      },
    },
    {
      name: "leftovers of uploads",
      isLast: true,
      async run() {
        const removed = await files.sweep();
        if (removed > 0) log.info({ removed }, "Removed leftovers of interrupted uploads");
      },
    },
    { name: "image cache", run: images.prune },
  ];
}

/** Calls that come while one is pending get its result. */
function shareWhilePending<T>(read: () => Promise<T>): () => Promise<T> {
  let pending: Promise<T> | undefined;
  return () => {
    pending ??= read().finally(() => {
      pending = undefined;
    });
    return pending;
  };
}

/** Findings that one event names; the health of the instance has all. */
const NAMED_FINDINGS = 20;
/** Findings often come together. */
const GATHER_FINDINGS_MS = 5000;

function startConfiguredScrub(deps: BackgroundJobsDeps): Scrub {
  const { config, log, catalog, blobs, webhooks } = deps;
  const unannounced: (DamagedBlob | MissingBlob)[] = [];

  function announce(): void {
    const findings = unannounced.splice(0);
    const named = findings.slice(0, NAMED_FINDINGS);
    webhooks
      .announce("scrub.findings", { count: findings.length, findings: named })
      .catch((cause) => log.error({ err: cause }, "Webhooks were not told of damaged files"));
  }

  return startScrub({
    catalog,
    blobs,
    intervalMs: config.scrubEvery,
    rate: config.scrubRate,
    onFinding(finding) {
      log.error(finding, `damage: the scrub found a ${finding.type} file`);
      const count = unannounced.push(finding);
      if (count === 1) setTimeout(announce, GATHER_FINDINGS_MS);
    },
    onFinish({ files, bytes, found }) {
      // The first start of an instance has nothing to read.
      if (files > 0) log.info({ files, bytes, found }, "Scrub finished");
    },
    onError: createLogFailure(log),
  });
}
