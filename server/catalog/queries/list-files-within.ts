import { setImmediate } from "node:timers/promises";
import { positionAfter } from "../../rules/list-position.ts";
import type { FileRecord, Page } from "../../rules/records.ts";
import type { Engine } from "../engine.ts";
import type { FilesWithin, RowBatch } from "./files-within.ts";
import { createFirstFolders } from "./first-folders.ts";
import { createFoldersWithin } from "./folders-within.ts";
import { createMergeFolders, MAX_MERGED } from "./merge-folders.ts";
import { createWalkWithin } from "./walk-within.ts";

const BATCH = 250;
/** From this number of folders on, a part of all files that is not small is likely to be in them. */
const MANY_FOLDERS = 1000;

/**
 * Lists files in the order of a page. The fastest way depends on the number of folders:
 *
 * - few: merges one walk along an index for each folder;
 * - more: finds the folders with the first files of the list, and merges the walks of those;
 * - many: walks along the index of all files, and if too few of them are inside, does the same.
 *
 * Every way reads a file in one statement with the keys that decide whether it is inside, so a file
 * that was moved out meanwhile is never listed.
 */
export function createListFilesWithin(engine: Pick<Engine, "db" | "all" | "first">) {
  const { idsOf, hasMoreThan } = createFoldersWithin(engine);
  const mergeFolders = createMergeFolders(engine);
  const firstFolders = createFirstFolders(engine);
  const walkWithin = createWalkWithin(engine);

  async function readBatch(files: FilesWithin, page: Page, limit: number): Promise<RowBatch> {
    if (files.sha256 !== undefined) {
      // Hardly more files have the same digest.
      const found = await walkWithin(files, page, limit, Number.POSITIVE_INFINITY);
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
