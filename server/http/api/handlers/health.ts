import type { HealthDetails, HealthScrub } from "../../../../contract/api.ts";
import type { healthOperations } from "../../../../contract/operations/health.ts";
import { timestamp } from "../../../domain/timestamp.ts";
import { type ScrubState, uncheckedFindings } from "../../../files/verify/scrub-state.ts";
import type { Health, HealthReport, ScrubSchedule } from "../../../health/health.ts";
import type { Settings } from "../../../settings/settings.ts";
import type { Handlers } from "./handler.ts";

export interface HealthHandlerDeps {
  readonly health: Health;
  readonly settings: Pick<Settings, "current">;
  readonly version: string;
}

const MAX_FINDINGS = 100;

export function healthHandlers({
  health,
  settings,
  version,
}: HealthHandlerDeps): Handlers<keyof typeof healthOperations> {
  const startedAt = timestamp(Date.now());

  return {
    async healthDetails() {
      const report = await health.read();
      const { files, bytes } = report.statistics;
      return {
        version,
        startedAt,
        workers: report.workers,
        dataPath: report.dataPath,
        jobs: report.jobs.map((job) => ({
          ...job,
          succeededAt: job.succeededAt === null ? null : timestamp(job.succeededAt),
        })),
        parts: report.parts.map(({ problem, ...part }) => ({ ...part, problem: problem ?? null })),
        storage: {
          files,
          bytes,
          volume: report.volume,
          trash: { files: report.trash.files, bytes: report.trash.bytes },
          versions: { count: report.versions.versions, bytes: report.versions.bytes },
          reserved: settings.current().minFreeSpace,
        },
        catalog: { bytes: report.catalogSize },
        uploads: { open: report.openUploads },
        scrub: scrubObject(report.scrub, report.schedule),
        ...recordObjects(report),
        quarantine: report.quarantine && {
          count: report.quarantine.length,
          latest: report.quarantine.at(-1) ?? null,
        },
        lostRecords: report.lostRecords ?? null,
      };
    },

    async startScrub() {
      await health.startScrub();
      const { scrub, schedule } = await health.read();
      return { scrub: scrubObject(scrub, schedule) };
    },
  };
}

function recordObjects({
  verification,
  backup,
}: HealthReport): Pick<HealthDetails, "verification" | "backup"> {
  return {
    verification:
      verification === undefined
        ? null
        : { ...verification, finishedAt: timestamp(verification.finishedAt) },
    backup:
      backup === undefined
        ? null
        : {
            ...backup,
            finishedAt: timestamp(backup.finishedAt),
            asOf: timestamp(backup.asOf),
          },
  };
}

function scrubObject(state: ScrubState | undefined, { every, rate }: ScrubSchedule): HealthScrub {
  const schedule = { every: every === null ? null : Math.ceil(every / 1000), rate };
  if (state === undefined) {
    return {
      ...schedule,
      state: "never",
      startedAt: null,
      finishedAt: null,
      files: 0,
      bytes: 0,
      found: 0,
      earlier: 0,
      findings: [],
    };
  }
  const { startedAt, finishedAt, files, bytes, found, findings } = state;
  return {
    ...schedule,
    state: stateOf(state, every),
    files,
    bytes,
    found,
    startedAt: timestamp(startedAt),
    finishedAt: finishedAt === null ? null : timestamp(finishedAt),
    earlier: uncheckedFindings(state),
    findings: findings
      .slice(0, MAX_FINDINGS)
      .map(({ type, id, key, place }) => ({ type, fileId: id, key, place })),
  };
}

function stateOf(
  { finishedAt, requested }: ScrubState,
  every: number | null,
): HealthScrub["state"] {
  if (finishedAt !== null) return "finished";
  return every !== null || requested === true ? "running" : "paused";
}
