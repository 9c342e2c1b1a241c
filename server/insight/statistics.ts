import { MEDIA_KINDS, type MediaKind, mediaKind } from "../../contract/text/media-kind.ts";
import type { FileTree } from "../catalog/port/file-tree.ts";
import type { MediaTypeCount, StatisticsPort } from "../catalog/port/insight.ts";
import type { SeenBy } from "../domain/callers/caller.ts";
import { giveWay } from "../lib/time-slices.ts";
import { cacheCount } from "./cache-count.ts";

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

type TotalsPort = Pick<StatisticsPort, "countFiles" | "countFolders">;

/** Rows per batch: a millisecond or two. */
const BATCH = 2000;

/**
 * Counts files and folders in batches, so that other requests run in between. Returns a recent
 * result from the cache; concurrent callers share one count.
 */
export function createStatistics(
  catalog: TotalsPort,
  now: () => number = () => performance.now(),
): () => Promise<Statistics> {
  return cacheCount(() => countAll(catalog), now);
}

async function countAll(catalog: TotalsPort): Promise<Statistics> {
  const counts: MediaTypeCount[] = [];
  for (let after: string | null = ""; after !== null; ) {
    const { types, last }: Awaited<ReturnType<TotalsPort["countFiles"]>> = await catalog.countFiles(
      after,
      BATCH,
    );
    counts.push(...types);
    after = last;
    await giveWay();
  }
  let folders = 0;
  for (let after: string | null = ""; after !== null; ) {
    const { count, last }: Awaited<ReturnType<TotalsPort["countFolders"]>> =
      await catalog.countFolders(after, BATCH * 5);
    folders += count;
    after = last;
    await giveWay();
  }
  return sumUp(counts, folders);
}

/** Totals of the files and folders that a limited caller may see, including the caller's top folder. */
export async function countWithin(
  caller: SeenBy,
  catalog: StatisticsPort & Pick<FileTree, "topFolder">,
): Promise<Statistics> {
  const top = await catalog.topFolder(caller);
  if (top === undefined) return sumUp([], 1);
  const { types, folders } = await catalog.countWithin(caller, top.key);
  return sumUp(types, folders + 1);
}

function sumUp(counts: readonly MediaTypeCount[], folders: number): Statistics {
  const kinds = new Map(MEDIA_KINDS.map((kind) => [kind, { files: 0, bytes: 0 }]));
  const total = { files: 0, bytes: 0 };
  for (const count of counts) {
    for (const sum of [total, kinds.get(mediaKind(count.mimeType))]) {
      if (sum === undefined) continue;
      sum.files += count.files;
      sum.bytes += count.bytes;
    }
  }
  return { ...total, folders, kinds: [...kinds].map(([kind, sum]) => ({ kind, ...sum })) };
}
