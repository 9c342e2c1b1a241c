import { setImmediate } from "node:timers/promises";
import type { Kysely } from "kysely";
import { placeAfter } from "../../rules/list-place.ts";
import type { FileRecord, Page } from "../../rules/records.ts";
import type { FileFilter } from "../port.ts";
import type { Schema } from "../schema.ts";
import { selectMarkedFiles } from "../select-records.ts";
import { isPast, matches, walk } from "./file-walk.ts";
import { passRemoved, skipFiles } from "./skip-files.ts";

/** Larger ones are no faster to speak of, and what they leave to the collector grows with them. */
const BATCH = 250;
/** Where removed folders are being emptied, many of their files may lie among the others. */
const PAST_REMOVED = 1000;

export function createListFiles(db: Kysely<Schema>) {
  return async function* listFiles(filter: FileFilter, page: Page): AsyncGenerator<FileRecord[]> {
    let place = page.after;
    if (page.offset > 0) {
      place = await skipFiles(db, filter, page);
      if (place === undefined) return;
    }
    let wanted = page.limit ?? Number.POSITIVE_INFINITY;
    let size = Math.min(wanted, BATCH);
    while (wanted > 0) {
      const rows = await selectMarkedFiles(db)
        .where(matches(filter))
        .where(isPast(page, place))
        .orderBy(walk(page))
        .limit(size)
        .execute();
      const batch = rows.flatMap(({ removed, ...file }): FileRecord[] => (removed ? [] : [file]));
      if (batch.length > wanted) batch.length = wanted;
      if (batch.length > 0) yield batch;
      const last = rows.at(-1);
      if (last === undefined || rows.length < size) return;
      place = placeAfter(last, page.orderBy);
      if (batch.length === 0) place = await passRemoved(db, filter, page, place);
      wanted -= batch.length;
      size = batch.length < rows.length ? PAST_REMOVED : Math.min(wanted, BATCH);
      await setImmediate();
    }
  };
}
