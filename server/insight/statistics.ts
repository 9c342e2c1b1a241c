import { setImmediate } from "node:timers/promises";
import type { StatisticsPort } from "../catalog/port.ts";
import { MEDIA_KINDS, type MediaKind, mediaKind } from "../rules/media-kind.ts";

/** Totals over all files and folders. */
export interface Statistics {
  readonly files: number;
  readonly folders: number;
  readonly bytes: number;
  /** Every kind, in the order of `MEDIA_KINDS`. */
  readonly kinds: readonly {
    readonly kind: MediaKind;
    readonly files: number;
    readonly bytes: number;
  }[];
}

/** Rows per batch: a millisecond or two. */
const BATCH = 2000;
/** Statistics are cached for this many times as long as they took: a moment for few files, a minute for millions. */
const CACHE_FACTOR = 50;

/**
 * Counts files and folders in batches, so that other requests run in between. Returns a recent
 * result from the cache; concurrent callers share one count.
 */
export function createStatistics(
  catalog: StatisticsPort,
  now: () => number = () => performance.now(),
): () => Promise<Statistics> {
  let cached: { statistics: Statistics; expiresAt: number } | undefined;
  let counting: Promise<Statistics> | undefined;

  async function count(): Promise<Statistics> {
    const startedAt = now();
    const statistics = await countAll(catalog);
    const endedAt = now();
    cached = { statistics, expiresAt: endedAt + CACHE_FACTOR * (endedAt - startedAt) };
    return statistics;
  }

  return async () => {
    if (cached !== undefined && now() < cached.expiresAt) return cached.statistics;
    counting ??= count().finally(() => {
      counting = undefined;
    });
    return counting;
  };
}

async function countAll(catalog: StatisticsPort): Promise<Statistics> {
  const byKind = new Map(MEDIA_KINDS.map((kind) => [kind, { files: 0, bytes: 0 }]));
  let files = 0;
  let bytes = 0;
  for (let after: string | null = ""; after !== null; ) {
    const { types, last }: Awaited<ReturnType<StatisticsPort["countFiles"]>> =
      await catalog.countFiles(after, BATCH);
    for (const type of types) {
      const sum = byKind.get(mediaKind(type.mimeType));
      if (sum === undefined) continue;
      sum.files += type.files;
      sum.bytes += type.bytes;
      files += type.files;
      bytes += type.bytes;
    }
    after = last;
    await setImmediate();
  }
  let folders = 0;
  for (let after: string | null = ""; after !== null; ) {
    const { count, last }: Awaited<ReturnType<StatisticsPort["countFolders"]>> =
      await catalog.countFolders(after, BATCH * 5);
    folders += count;
    after = last;
    await setImmediate();
  }
  return { files, folders, bytes, kinds: [...byKind].map(([kind, sum]) => ({ kind, ...sum })) };
}
