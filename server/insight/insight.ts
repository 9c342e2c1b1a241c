import type { Catalog } from "../catalog/port/catalog.ts";
import { type Activity, createActivity } from "./activity.ts";
import { createFileTraffic, type FileTraffic } from "./file-traffic.ts";
import { createKeyTraffic, type KeyTraffic } from "./key-traffic.ts";
import { createOverview, type OverviewDeps, type ReadOverview } from "./overview.ts";
import { createStatistics, type Statistics } from "./statistics.ts";
import { createTraffic, type Traffic } from "./traffic.ts";

/** What is known about the use of an instance: the audit log, counts of requests, and statistics. */
export interface Insight {
  readonly activity: Activity;
  readonly traffic: Traffic;
  readonly fileTraffic: FileTraffic;
  readonly keyTraffic: KeyTraffic;
  readonly overview: ReadOverview;
  readonly readStatistics: () => Promise<Statistics>;
  /** Writes the buffers, or keeps them when writing fails. Never throws. */
  flush(): Promise<void>;
  /** Writes the buffers and stops the timers. */
  close(): Promise<void>;
}

export interface InsightDeps {
  readonly catalog: Catalog;
  readonly blobs: OverviewDeps["blobs"];
  /** Called with the bytes of each response; undefined: nobody counts them. */
  readonly countSent: ((bytes: number) => void) | undefined;
  readonly activityRetentionDays: () => number;
  readonly onError: (message: string, cause: unknown) => void;
  /** Makes the other workers write their buffers; awaited before each read. */
  readonly flushPeers: () => Promise<void>;
}

export function createInsight(deps: InsightDeps): Insight {
  const { catalog, blobs, onError, flushPeers } = deps;
  const buffer = { log: catalog, onError, flushPeers };
  const activity = createActivity({ ...buffer, retentionDays: deps.activityRetentionDays });
  const traffic = alsoCounting(createTraffic(buffer), deps.countSent);
  const fileTraffic = createFileTraffic(buffer);
  const keyTraffic = createKeyTraffic(buffer);
  const readStatistics = createStatistics(catalog);
  const overview = createOverview({ catalog, blobs, traffic, fileTraffic, readStatistics });
  const buffers = [activity, traffic, fileTraffic, keyTraffic];

  return {
    activity,
    traffic,
    fileTraffic,
    keyTraffic,
    overview,
    readStatistics,
    async flush() {
      await Promise.all(buffers.map((each) => each.flush()));
    },
    async close() {
      await Promise.all(buffers.map((each) => each.close()));
    },
  };
}

function alsoCounting(traffic: Traffic, countSent: InsightDeps["countSent"]): Traffic {
  if (countSent === undefined) return traffic;
  return {
    ...traffic,
    countBytes(bytes) {
      countSent(bytes);
      traffic.countBytes(bytes);
    },
  };
}
