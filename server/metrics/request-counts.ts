/** Upper bounds of the histogram, in seconds. */
export const BUCKETS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

/** The requests of one route with one status. */
export interface RouteCounts {
  readonly route: string;
  readonly status: number;
  /** How many took at most as long as each of `BUCKETS` and longer than the one before; those above all come last. */
  readonly buckets: readonly number[];
  readonly count: number;
  /** Time until their responses began, in seconds. */
  readonly seconds: number;
}

/** What one process has counted since it started. */
export interface ProcessCounts {
  readonly routes: readonly RouteCounts[];
  readonly inProgress: number;
  /** Bytes of bodies whose length the requests say. */
  readonly receivedBytes: number;
  /** Bytes of files and archives. */
  readonly sentBytes: number;
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

type Mutable = { -readonly [Name in keyof RouteCounts]: RouteCounts[Name] } & { buckets: number[] };

export function createRequestCounts(): RequestCounts {
  const routes = new Map<string, Map<number, Mutable>>();
  let inProgress = 0;
  let receivedBytes = 0;
  let sentBytes = 0;

  function countsOf(route: string, status: number): Mutable {
    const statuses = routes.get(route) ?? new Map<number, Mutable>();
    const known = statuses.get(status);
    if (known !== undefined) return known;
    const buckets = new Array<number>(BUCKETS.length + 1).fill(0);
    const counts = { route, status, buckets, count: 0, seconds: 0 };
    routes.set(route, statuses.set(status, counts));
    return counts;
  }

  return {
    started(bytes) {
      inProgress += 1;
      receivedBytes += bytes;
    },
    ended(route, status, seconds) {
      inProgress -= 1;
      const counts = countsOf(route, status);
      counts.count += 1;
      counts.seconds += seconds;
      let at = 0;
      while (at < BUCKETS.length && seconds > (BUCKETS[at] ?? 0)) at += 1;
      counts.buckets[at] = (counts.buckets[at] ?? 0) + 1;
    },
    countSent(bytes) {
      sentBytes += bytes;
    },
    read() {
      const { user, system } = process.cpuUsage();
      return {
        routes: [...routes.values()].flatMap((statuses) => [...statuses.values()]),
        inProgress,
        receivedBytes,
        sentBytes,
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
    cpuSeconds: sum((each) => each.cpuSeconds),
    residentBytes: sum((each) => each.residentBytes),
  };
}

const addRoutes = (one: RouteCounts, other: RouteCounts): RouteCounts => ({
  ...one,
  buckets: one.buckets.map((count, at) => count + (other.buckets[at] ?? 0)),
  count: one.count + other.count,
  seconds: one.seconds + other.seconds,
});
