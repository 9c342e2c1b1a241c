import type { WaitingDeliveries } from "../catalog/port/webhooks.ts";
import type { HealthReport } from "../health/health.ts";
import { BUCKETS, type DurationCounts } from "../lib/durations.ts";
import type { Family, Labels, Sample } from "./prometheus-text.ts";
import type { ProcessCounts, RouteCounts } from "./request-counts.ts";

/** A folder in the root. */
export interface TopFolder {
  readonly name: string;
  readonly files: number;
  readonly bytes: number;
}

/** What is known when Prometheus asks. */
export interface Known {
  readonly version: string;
  /** The sum over all processes of this server. */
  readonly counts: ProcessCounts;
  /** Milliseconds since the Unix epoch. */
  readonly startedAt: number;
  /** undefined: the catalog does not respond. */
  readonly health: HealthReport | undefined;
  readonly topFolders: readonly TopFolder[];
  /** undefined: the catalog does not respond. */
  readonly waitingDeliveries: WaitingDeliveries | undefined;
  /** In bytes: what uploads leave free. */
  readonly minFreeSpace: number;
}

/** Everything that `/metrics` says. Names follow OpenTelemetry where it has any, with Prometheus' units. */
export const families = (known: Known): Family[] => [
  gauge("holdall_build_info", "1, with the version of the program.", [
    { labels: { version: known.version }, value: 1 },
  ]),
  ...requestFamilies(known.counts),
  ...storeFamilies(known.counts),
  ...processFamilies(known),
  ...(known.health === undefined ? [] : healthFamilies(known.health)),
  gauge(
    "holdall_webhook_events_waiting",
    "Changes and other events that a webhook has not dealt with yet, by the state of the webhook.",
    known.waitingDeliveries &&
      Object.entries(known.waitingDeliveries).map(([state, value]) => ({
        labels: { state },
        value,
      })),
  ),
  gauge("holdall_reserved_bytes", "Space that uploads leave free.", known.minFreeSpace),
  gauge(
    "holdall_folder_files",
    "Files in and below each folder of the root.",
    known.topFolders.map(({ name, files }) => ({ labels: { folder: name }, value: files })),
  ),
  gauge(
    "holdall_folder_bytes",
    "Bytes of the files in and below each folder of the root.",
    known.topFolders.map(({ name, bytes }) => ({ labels: { folder: name }, value: bytes })),
  ),
];

function requestFamilies(counts: ProcessCounts): Family[] {
  return [
    {
      name: "http_server_request_duration_seconds",
      type: "histogram",
      help: "Time from a request to the start of its response.",
      samples: counts.routes.flatMap(ofRoute),
    },
    gauge("http_server_active_requests", "Requests without a response.", counts.inProgress),
    counter("holdall_received_bytes_total", "Bytes of request bodies.", counts.receivedBytes),
    counter("holdall_sent_bytes_total", "Bytes of files and archives sent.", counts.sentBytes),
  ];
}

const ofRoute = ({ route, status, ...counts }: RouteCounts): Sample[] =>
  histogram(counts, { http_route: route, http_response_status_code: String(status) });

function histogram({ buckets, count, seconds }: DurationCounts, labels: Labels = {}): Sample[] {
  let upTo = 0;
  const bounds = buckets.map((inBucket, at) => {
    upTo += inBucket;
    const le = BUCKETS[at] === undefined ? "+Inf" : String(BUCKETS[at]);
    return { suffix: "_bucket", labels: { ...labels, le }, value: upTo };
  });
  return [
    ...bounds,
    { suffix: "_sum", labels, value: seconds },
    { suffix: "_count", labels, value: count },
  ];
}

function storeFamilies({ changes, fsyncs, caches }: ProcessCounts): Family[] {
  const used = Object.entries(caches).filter(([, { hits, misses }]) => hits + misses > 0);
  return [
    {
      name: "holdall_change_duration_seconds",
      type: "histogram",
      help: "Time from a change of the catalog to the end of its commit.",
      samples: histogram(changes),
    },
    {
      name: "holdall_fsync_duration_seconds",
      type: "histogram",
      help: "Time of each fsync of contents on the disk.",
      samples: histogram(fsyncs),
    },
    counter(
      "holdall_cache_hits_total",
      "Lookups that a cache answered.",
      used.map(([cache, { hits }]) => ({ labels: { cache }, value: hits })),
    ),
    counter(
      "holdall_cache_misses_total",
      "Lookups that a cache could not answer.",
      used.map(([cache, { misses }]) => ({ labels: { cache }, value: misses })),
    ),
  ];
}

const processFamilies = ({ counts, startedAt }: Known): Family[] => [
  counter("process_cpu_seconds_total", "Processor time of all processes.", counts.cpuSeconds),
  gauge("process_resident_memory_bytes", "Memory of all processes.", counts.residentBytes),
  gauge("process_start_time_seconds", "When the process that answers started.", startedAt / 1000),
];

function healthFamilies(health: HealthReport): Family[] {
  const { scrub, verification, backup, volume } = health;
  return [
    gauge(
      "holdall_up",
      "Whether the catalog, the store of contents and Redis respond.",
      health.parts.map(({ part, problem }) => ({
        labels: { part },
        value: problem === undefined ? 1 : 0,
      })),
    ),
    gauge("holdall_workers", "Processes that serve.", health.workers.running),
    gauge("holdall_files", "Files.", health.statistics.files),
    gauge("holdall_file_bytes", "Bytes of all files.", health.statistics.bytes),
    gauge("holdall_trash_files", "Files in the trash.", health.trash.files),
    gauge("holdall_trash_bytes", "Bytes of the files in the trash.", health.trash.bytes),
    gauge("holdall_versions", "Versions of replaced files.", health.versions.versions),
    gauge("holdall_version_bytes", "Bytes of the versions.", health.versions.bytes),
    gauge("holdall_open_uploads", "Uploads that are not complete.", health.openUploads),
    gauge("holdall_free_bytes", "Free space of the data folder's volume.", volume?.free),
    gauge("holdall_volume_bytes", "Size of the data folder's volume.", volume?.size),
    gauge("holdall_catalog_bytes", "Size of the catalog.", health.catalogSize ?? undefined),
    gauge("holdall_quarantined", "Folders in the quarantine.", health.quarantine?.length),
    gauge(
      "holdall_job_failures",
      "Failures of each background job since it last succeeded.",
      health.jobs.map(({ name, failures }) => ({ labels: { job: name }, value: failures })),
    ),
    gauge("holdall_scrub_findings", "Damaged or missing contents of the last scrub.", scrub?.found),
    gauge(
      "holdall_scrub_finished_timestamp_seconds",
      "When the last scrub ended.",
      seconds(scrub?.finishedAt),
    ),
    gauge(
      "holdall_verify_findings",
      "Damaged or missing contents of the last verify.",
      verification && verification.missing + verification.damaged,
    ),
    gauge(
      "holdall_backup_finished_timestamp_seconds",
      "When the last backup ended.",
      seconds(backup?.finishedAt),
    ),
    gauge("holdall_backup_damaged", "Damaged files of the last backup.", backup?.damaged),
  ];
}

const seconds = (millis: number | null | undefined): number | undefined =>
  millis == null ? undefined : millis / 1000;

/** undefined: not known, so there is no sample. */
type Samples = readonly Sample[] | number | undefined;

const gauge = (name: string, help: string, samples: Samples): Family => ({
  name,
  type: "gauge",
  help,
  samples: samplesOf(samples),
});

const counter = (name: string, help: string, samples: Samples): Family => ({
  ...gauge(name, help, samples),
  type: "counter",
});

function samplesOf(samples: Samples): readonly Sample[] {
  if (samples === undefined) return [];
  return typeof samples === "number" ? [{ value: samples }] : samples;
}
