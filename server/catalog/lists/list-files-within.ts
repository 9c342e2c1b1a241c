import { isEnded } from "../../domain/lifetime.ts";
import { positionAfter } from "../../domain/list-position.ts";
import type { FileRecord, Page } from "../../domain/records.ts";
import type { MaybePromise } from "../../lib/maybe-promise.ts";
import { giveWay } from "../../lib/time-slices.ts";
import type { Engine } from "../engine/engine.ts";
import type { FilesWithin, RowBatch } from "./files-within.ts";
import { createFirstFolders } from "./first-folders.ts";
import { createFolderCache } from "./folder-cache.ts";
import { createFoldersWithin } from "./folders-within.ts";
import { createMergeFolders, createSkipMerged, MAX_MERGED } from "./merge-folders.ts";
import { createRecentChanges } from "./recent-changes.ts";
import { hasEnded } from "./skip-files.ts";
import { createWalkWithin } from "./walk-within.ts";

const BATCH = 250;
/** Files skipped in one step: a few milliseconds. */
const STEP = 5000;
/** The size of the cache of pages: about 600 bytes for a file. */
const PAGES = { maxBytes: 8 * 1024 * 1024, weigh: ({ rows }: RowBatch) => 600 * rows.length };
/** The size of the cache of folder ids. */
const IDS = { maxBytes: 1024 * 1024, weigh: (ids: readonly string[]) => 80 * ids.length };
/** Above this number of folders, many of all files may be in them. */
const MANY_FOLDERS = 500;

/**
 * Lists files in the order of a page. The fastest way depends on the number of folders:
 *
 * - few: merges one walk along an index for each folder;
 * - more: finds the folders with the first files of the list, and merges the walks of those;
 * - many: walks along the index of all files, and if too few of them are inside, does the same.
 *
 * Every way reads a file in one statement with the keys that decide whether it is inside, so a file
 * that was moved out meanwhile is never listed. Where the engine counts commits, short pages are
 * cached until something changes in the folder.
 */
export function createListFilesWithin(
  engine: Pick<Engine, "db" | "all" | "first" | "generation" | "now">,
) {
  const { idsOf, hasMoreThan } = createFoldersWithin(engine);
  const recent = createRecentChanges(engine);
  const ids = recent && createFolderCache<readonly string[]>(recent, { ...IDS, foldersOnly: true });
  const pages = recent && createFolderCache<RowBatch>(recent, { ...PAGES, foldersOnly: false });
  const mergeFolders = createMergeFolders(engine);
  const skipMerged = createSkipMerged(engine);
  const firstFolders = createFirstFolders(engine);
  const walkWithin = createWalkWithin(engine);

  async function find(files: FilesWithin, page: Page, limit: number): Promise<RowBatch> {
    if (files.sha256 !== undefined) {
      // Hardly more files have the same digest.
      const found = await walkWithin(files, page, limit, 0);
      if (found !== undefined) return found;
    }
    const folderIds = await fewIdsOf(files);
    if (folderIds.length <= MAX_MERGED) return mergeFolders(files, page, folderIds, limit);
    if (await hasMoreThan(files, MANY_FOLDERS)) {
      const walked = await walkWithin(files, page, limit);
      if (walked !== undefined) return walked;
    }
    const first = await firstFolders(files, page, MAX_MERGED);
    // Each of these folders has a file that comes before those of all other folders.
    const sure = first.length < MAX_MERGED ? limit : Math.min(limit, MAX_MERGED);
    return mergeFolders(files, page, first, sure);
  }

  /** The ids of all folders within the limits, or of more than `MAX_MERGED`. */
  function fewIdsOf(files: FilesWithin): MaybePromise<readonly string[]> {
    const find = () => idsOf(files, MAX_MERGED + 1);
    return ids === undefined ? find() : ids.get(files.topKey, JSON.stringify(files.within), find);
  }

  function readBatch(files: FilesWithin, page: Page, limit: number): MaybePromise<RowBatch> {
    // The batches of a long list are not read again, and digests are added without a change.
    const isCached = page.limit !== null && page.limit <= BATCH && files.sha256 === undefined;
    return pages !== undefined && isCached
      ? pages.get(files.topKey, JSON.stringify([files, page, limit]), () =>
          find(files, page, limit),
        )
      : find(files, page, limit);
  }

  /** The page that begins as many files further on as it skips; undefined: the list is shorter. */
  async function afterOffset(files: FilesWithin, page: Page): Promise<Page | undefined> {
    // Fewer are read faster than skipped, and a digest has hardly more.
    if (page.offset < BATCH || files.sha256 !== undefined) return page;
    const folderIds = await fewIdsOf(files);
    // Only reading a file says whether it has ended.
    if (folderIds.length > MAX_MERGED || (await hasEnded(engine.db))) return page;
    let from = page;
    for (let toSkip = page.offset; toSkip > 0; toSkip -= STEP) {
      const after = await skipMerged(files, from, folderIds, Math.min(toSkip, STEP));
      if (after === undefined) return undefined;
      from = { ...page, after, offset: 0 };
      await giveWay();
    }
    return from;
  }

  return async function* listFilesWithin(
    files: FilesWithin,
    given: Page,
  ): AsyncGenerator<FileRecord[]> {
    const page = await afterOffset(files, given);
    if (page === undefined) return;
    let from = page;
    let toSkip = page.offset;
    let wanted = page.limit ?? Number.POSITIVE_INFINITY;
    while (wanted > 0) {
      const { rows, isLast } = await readBatch(files, from, Math.min(toSkip + wanted, BATCH));
      const inside = rows.flatMap(({ outside, ...file }): FileRecord[] =>
        // A cached file may have ended since it was read.
        outside || isEnded(file, engine.now) ? [] : [file],
      );
      const batch = inside.slice(toSkip, toSkip + wanted);
      toSkip = Math.max(0, toSkip - inside.length);
      if (batch.length > 0) yield batch;
      const last = rows.at(-1);
      if (last === undefined || isLast) return;
      from = { ...page, after: positionAfter(last, page.orderBy) };
      wanted -= batch.length;
      await giveWay();
    }
  };
}
