import type { Blobs } from "../blobs/port.ts";
import type { FileTree } from "../catalog/port/file-tree.ts";
import type { StatisticsPort } from "../catalog/port/insight.ts";
import type { Trash } from "../catalog/port/trash.ts";
import type { Versions } from "../catalog/port/versions.ts";
import { EVERYTHING, type SeenBy } from "../domain/callers/caller.ts";
import type { FileRecord, HourlyTraffic, Millis, RequestedFile } from "../domain/records.ts";
import type { FileTraffic } from "./file-traffic.ts";
import { countWithin, type Statistics } from "./statistics.ts";
import { addUpStatuses, HOUR, type Traffic } from "./traffic.ts";

export interface Overview {
  readonly statistics: Statistics;
  /** Bytes; null when the store does not report its free space. */
  readonly free: number | null;
  /** Bytes. */
  readonly trash: number;
  /** Bytes of replaced content; null with limits. */
  readonly versions: number | null;
  readonly largest: readonly FileRecord[];
  readonly newest: readonly FileRecord[];
  /** One entry per hour, or per UTC day for a month. Oldest first, up to now. */
  readonly traffic: readonly HourlyTraffic[];
  /** The totals of as many hours right before those of `traffic`. */
  readonly previous: TrafficTotals;
  readonly mostRequested: MostRequested;
}

/** Files by the requests of the days that the period touches; most requests first. */
export interface MostRequested {
  /** The start of the first day, in UTC. */
  readonly since: Millis;
  readonly files: readonly RequestedFile[];
}

export interface TrafficTotals {
  readonly requests: number;
  readonly bytes: number;
  readonly errors: number;
}

export type Period = "day" | "week" | "month";

export interface OverviewDeps {
  readonly catalog: FileTree &
    StatisticsPort &
    Pick<Trash, "trashTotals"> &
    Pick<Versions, "versionTotals">;
  readonly blobs: Pick<Blobs, "freeSpace">;
  readonly traffic: Traffic;
  readonly fileTraffic: Pick<FileTraffic, "mostRequested">;
  readonly readStatistics: () => Promise<Statistics>;
}

const DAY = 24 * HOUR;
const MAX_FILES = 10;

/**
 * Storage statistics and traffic for the dashboard's overview page; only those of what the
 * caller sees. Free space, traffic and requests are the instance's, so callers with a limit do not get them.
 */
export type ReadOverview = (caller: SeenBy, period: Period) => Promise<Overview>;

export function createOverview(
  { catalog, blobs, traffic, fileTraffic, readStatistics }: OverviewDeps,
  now: () => Millis = Date.now,
): ReadOverview {
  async function topFiles(caller: SeenBy, orderBy: "size" | "createdAt"): Promise<FileRecord[]> {
    const page = { orderBy, direction: "DESC", offset: 0, limit: MAX_FILES } as const;
    return (await Array.fromAsync(catalog.listFiles(caller, {}, page))).flat();
  }

  return async (caller, period) => {
    const isLimited = caller.within !== EVERYTHING;
    return {
      statistics: isLimited ? await countWithin(caller, catalog) : await readStatistics(),
      free: isLimited ? null : await blobs.freeSpace(),
      trash: (await catalog.trashTotals(caller)).bytes,
      versions: isLimited ? null : (await catalog.versionTotals()).bytes,
      largest: await topFiles(caller, "size"),
      newest: await topFiles(caller, "createdAt"),
      ...(isLimited ? NO_TRAFFIC : await trafficOf(period)),
      mostRequested: await mostRequested(period, isLimited),
    };
  };

  async function trafficOf(period: Period): Promise<Pick<Overview, "traffic" | "previous">> {
    const count = hoursOf(period);
    const hours = await traffic.since(now() - (2 * count - 1) * HOUR);
    // Another hour may have started meanwhile.
    const current = hours.slice(-count);
    return {
      traffic: period === "month" ? sumByDay(current) : current,
      previous: sumOf(hours.slice(-2 * count, -count)),
    };
  }

  async function mostRequested(period: Period, isLimited: boolean): Promise<MostRequested> {
    const first = now() - (hoursOf(period) - 1) * HOUR;
    const since = Math.floor(first / DAY) * DAY;
    return { since, files: isLimited ? [] : await fileTraffic.mostRequested(since, MAX_FILES) };
  }

  /** The hours of a period up to now; those of a month begin with a UTC day. */
  function hoursOf(period: Period): number {
    if (period === "day") return 24;
    if (period === "week") return 7 * 24;
    return 29 * 24 + new Date(now()).getUTCHours() + 1;
  }
}

const sumOf = (hours: readonly HourlyTraffic[]): TrafficTotals => ({
  requests: sum(hours, "requests"),
  bytes: sum(hours, "bytes"),
  errors: sum(hours, "errors"),
});

function sumByDay(hours: readonly HourlyTraffic[]): HourlyTraffic[] {
  const days = Map.groupBy(hours, ({ hour }) => Math.floor(hour / DAY) * DAY);
  return [...days].map(([day, hoursOfDay]) => ({
    hour: day,
    ...sumOf(hoursOfDay),
    errorsByStatus: addUpStatuses(hoursOfDay.map(({ errorsByStatus }) => errorsByStatus)),
  }));
}

const sum = (hours: readonly HourlyTraffic[], field: "requests" | "bytes" | "errors"): number =>
  hours.reduce((total, hour) => total + hour[field], 0);

const NO_TRAFFIC = { traffic: [], previous: sumOf([]) };
