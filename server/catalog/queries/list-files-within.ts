import { setImmediate } from "node:timers/promises";
import { positionAfter } from "../../rules/list-position.ts";
import type { MaybePromise } from "../../rules/maybe-promise.ts";
import type { FileRecord, Page } from "../../rules/records.ts";
import type { Engine } from "../engine.ts";
import type { FilesWithin, RowBatch } from "./files-within.ts";
import { createFirstFolders } from "./first-folders.ts";
import { createFoldersWithin } from "./folders-within.ts";
import { createMergeFolders, MAX_MERGED } from "./merge-folders.ts";
import { cached } from "./record-cache.ts";
import { createWalkWithin } from "./walk-within.ts";

const BATCH = 250;
/** Of cached pages: 600 bytes for a file. */
const PAGES = { maxBytes: 8 * 1024 * 1024, weigh: ({ rows }: RowBatch) => 600 * rows.length };
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
 * cached until the next one.
 */
export function createListFilesWithin(engine: Pick<Engine, "db" | "all" | "first" | "generation">) {
  const { idsOf, hasMoreThan } = createFoldersWithin(engine);
  const mergeFolders = createMergeFolders(engine);
  const firstFolders = createFirstFolders(engine);
  const walkWithin = createWalkWithin(engine);

  async function find(files: FilesWithin, page: Page, limit: number): Promise<RowBatch> {
    if (files.sha256 !== undefined) {
      // Hardly more files have the same digest.
      const found = await walkWithin(files, page, limit, 0);
      if (found !== undefined) return found;
    }
    const folderIds = await idsOf(files, MAX_MERGED + 1);
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

  const findCached =
    engine.generation &&
    cached(engine.generation, PAGES, (key: string) => find(...readPageKey(key)));

  function readBatch(files: FilesWithin, page: Page, limit: number): MaybePromise<RowBatch> {
    // The batches of a long list are not read again.
    const isShort = page.limit !== null && page.limit <= BATCH;
    return findCached !== undefined && isShort
      ? findCached(JSON.stringify([files, page, limit]))
      : find(files, page, limit);
  }

  return async function* listFilesWithin(
    files: FilesWithin,
    page: Page,
  ): AsyncGenerator<FileRecord[]> {
    let from = page;
    let toSkip = page.offset;
    let wanted = page.limit ?? Number.POSITIVE_INFINITY;
    while (wanted > 0) {
      const { rows, isLast } = await readBatch(files, from, Math.min(toSkip + wanted, BATCH));
      const inside = rows.flatMap(({ outside, ...file }): FileRecord[] => (outside ? [] : [file]));
      const batch = inside.slice(toSkip, toSkip + wanted);
      toSkip = Math.max(0, toSkip - inside.length);
      if (batch.length > 0) yield batch;
      const last = rows.at(-1);
      if (last === undefined || isLast) return;
      from = { ...page, after: positionAfter(last, page.orderBy) };
      wanted -= batch.length;
      await setImmediate();
    }
  };
}

const readPageKey = (key: string): [FilesWithin, Page, number] => JSON.parse(key);
