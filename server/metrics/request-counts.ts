import {
  type CacheCounts,
  type CacheName,
  cacheCounts,
  changeDurations,
  fsyncDurations,
} from "../domain/process-figures.ts";
import {
  addDurations,
  createDurations,
  type DurationCounts,
  type Durations,
} from "../lib/durations.ts";

/** The requests of one route with one status, and the time until their responses began. */
export interface RouteCounts extends DurationCounts {
  readonly route: string;
  readonly status: number;
}

/** What one process has counted since it started. */
export interface ProcessCounts {
  readonly routes: readonly RouteCounts[];
  readonly inProgress: number;
  /** Bytes of bodies whose length the requests say. */
  readonly receivedBytes: number;
  /** Bytes of files and archives. */
  readonly sentBytes: number;
  /** By name. */
  readonly caches: Readonly<Record<CacheName, CacheCounts>>;
  readonly changes: DurationCounts;
  readonly fsyncs: DurationCounts;
  readonly cpuSeconds: number;
  readonly residentBytes: number;
}

/** Counts the requests of this process, from its start. */
export interface RequestCounts {
  started(receivedBytes: number): void;
  ended(route: string, status: number, seconds: number): void;
  countSent(bytes: number): void;
  read(): ProcessCounts;
}

export function createRequestCounts(): RequestCounts {
  const routes = new Map<string, Map<number, Durations>>();
  let inProgress = 0;
  let receivedBytes = 0;
  let sentBytes = 0;

  function durationsOf(route: string, status: number): Durations {
    const statuses = routes.get(route) ?? new Map<number, Durations>();
    const known = statuses.get(status);
    if (known !== undefined) return known;
    const durations = createDurations();
    routes.set(route, statuses.set(status, durations));
    return durations;
  }

  return {
    started(bytes) {
      inProgress += 1;
      receivedBytes += bytes;
    },
    ended(route, status, seconds) {
      inProgress -= 1;
      durationsOf(route, status).add(seconds);
    },
    countSent(bytes) {
      sentBytes += bytes;
    },
    read() {
      const { user, system } = process.cpuUsage();
      return {
        routes: [...routes].flatMap(([route, statuses]) =>
          [...statuses].map(([status, durations]) => ({ route, status, ...durations.read() })),
        ),
        inProgress,
        receivedBytes,
        sentBytes,
        caches: cacheCounts,
        changes: changeDurations.read(),
        fsyncs: fsyncDurations.read(),
        cpuSeconds: (user + system) / 1e6,
        residentBytes: process.memoryUsage.rss(),
      };
    },
  };
}

/** The sums of all processes. */
export function addUpCounts(all: readonly ProcessCounts[]): ProcessCounts {
  const routes = Map.groupBy(
    all.flatMap((each) => each.routes),
    ({ route, status }) => `${status} ${route}`,
  );
  const sum = (of: (counts: ProcessCounts) => number): number =>
    all.reduce((total, each) => total + of(each), 0);
  return {
    routes: [...routes.values()].map((same) => same.reduce(addRoutes)),
    inProgress: sum((each) => each.inProgress),
    receivedBytes: sum((each) => each.receivedBytes),
    sentBytes: sum((each) => each.sentBytes),
    caches: eachCache((name) => ({
      hits: sum(({ caches }) => caches[name].hits),
      misses: sum(({ caches }) => caches[name].misses),
    })),
    changes: all.map(({ changes }) => changes).reduce(addDurations),
    fsyncs: all.map(({ fsyncs }) => fsyncs).reduce(addDurations),
    cpuSeconds: sum((each) => each.cpuSeconds),
    residentBytes: sum((each) => each.residentBytes),
  };
}

const addRoutes = (one: RouteCounts, other: RouteCounts): RouteCounts => ({
  ...one,
  ...addDurations(one, other),
});

const eachCache = <T>(of: (name: CacheName) => T): Record<CacheName, T> => ({
  files: of("files"),
  folders: of("folders"),
  credentials: of("credentials"),
  lists: of("lists"),
  contents: of("contents"),
});
