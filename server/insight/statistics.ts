import { setImmediate } from "node:timers/promises";
import type { StatisticsPort } from "../catalog/port.ts";
import { MEDIA_KINDS, type MediaKind, mediaKind } from "../rules/media-kind.ts";

/** What there is. */
export interface Statistics {
  readonly files: number;
  readonly folders: number;
  readonly bytes: number;
  /** By kind, each of them, in the order of `MEDIA_KINDS`. */
  readonly kinds: readonly {
    readonly kind: MediaKind;
    readonly files: number;
    readonly bytes: number;
  }[];
}

/** Rows that are looked at in one go: a millisecond or two. */
const BATCH = 2000;
/** A count is good for so many times as long as it took: a moment for few files, a minute for millions. */
const WORTH = 50;

/**
 * Counts what there is, a batch at a time, so that other requests get their turn. A count that is
 * recent is given again, and who asks during one waits for its end.
 */
export function createStatistics(
  census: StatisticsPort,
  now: () => number = () => performance.now(),
): () => Promise<Statistics> {
  let last: { stock: Statistics; goodUntil: number } | undefined;
  let underWay: Promise<Statistics> | undefined;

  async function count(): Promise<Statistics> {
    const begun = now();
    const stock = await countAll(census);
    const end = now();
    last = { stock, goodUntil: end + WORTH * (end - begun) };
    return stock;
  }

  return async () => {
    if (last !== undefined && now() < last.goodUntil) return last.stock;
    underWay ??= count().finally(() => {
      underWay = undefined;
    });
    return underWay;
  };
}

async function countAll(census: StatisticsPort): Promise<Statistics> {
  const byKind = new Map(MEDIA_KINDS.map((kind) => [kind, { files: 0, bytes: 0 }]));
  let files = 0;
  let bytes = 0;
  for (let after: string | null = ""; after !== null; ) {
    const { types, last }: Awaited<ReturnType<StatisticsPort["countFiles"]>> =
      await census.countFiles(after, BATCH);
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
      await census.countFolders(after, BATCH * 5);
    folders += count;
    after = last;
    await setImmediate();
  }
  return { files, folders, bytes, kinds: [...byKind].map(([kind, sum]) => ({ kind, ...sum })) };
}
