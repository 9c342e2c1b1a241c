import type { Blobs } from "../blobs/port.ts";
import type { Names, StatisticsPort } from "../catalog/port.ts";
import type { FileRecord, HourOfTraffic, Millis } from "../rules/records.ts";
import { createStatistics, type Statistics } from "./statistics.ts";
import { HOUR, type Traffic } from "./traffic.ts";

export interface Overview {
  readonly stock: Statistics;
  /** Bytes; null where the store cannot tell. */
  readonly free: number | null;
  readonly largest: readonly FileRecord[];
  readonly newest: readonly FileRecord[];
  /** By the hour; of a month by the day, in UTC. Oldest first, to now. */
  readonly traffic: readonly HourOfTraffic[];
}

export type Period = "day" | "week" | "month";

export interface OverviewParts {
  readonly catalog: Names & StatisticsPort;
  readonly blobs: Blobs;
  readonly traffic: Traffic;
}

const DAY = 24 * HOUR;
const SHOWN = 10;

/** What there is and how it is used, at a glance. */
export function createOverview(
  { catalog, blobs, traffic }: OverviewParts,
  now: () => Millis = Date.now,
): (period: Period) => Promise<Overview> {
  const takeStock = createStatistics(catalog);
  const first = async (orderBy: "size" | "createdAt"): Promise<FileRecord[]> => {
    const page = { orderBy, direction: "DESC", offset: 0, limit: SHOWN } as const;
    return (await Array.fromAsync(catalog.listFiles({}, page))).flat();
  };

  return async (period) => ({
    stock: await takeStock(),
    free: await blobs.freeSpace(),
    largest: await first("size"),
    newest: await first("createdAt"),
    traffic: await trafficOf(period),
  });

  async function trafficOf(period: Period): Promise<HourOfTraffic[]> {
    if (period === "day") return traffic.since(now() - DAY + HOUR);
    if (period === "week") return traffic.since(now() - 7 * DAY + HOUR);
    const today = Math.floor(now() / DAY) * DAY;
    return byDay(await traffic.since(today - 29 * DAY));
  }
}

function byDay(hours: readonly HourOfTraffic[]): HourOfTraffic[] {
  const days = Map.groupBy(hours, ({ hour }) => Math.floor(hour / DAY) * DAY);
  return [...days].map(([day, inside]) => ({
    hour: day,
    requests: sum(inside, "requests"),
    bytes: sum(inside, "bytes"),
    errors: sum(inside, "errors"),
  }));
}

const sum = (hours: readonly HourOfTraffic[], field: "requests" | "bytes" | "errors"): number =>
  hours.reduce((total, hour) => total + hour[field], 0);
