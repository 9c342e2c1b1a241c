import type {
  RestoredTrash,
  TrashPage,
  TrashQuery,
  TrashSelection,
  TrashTotals,
} from "../../catalog/port/trash.ts";
import { Fault } from "../../domain/fault.ts";
import { NOT_IN_TRASH } from "../../domain/trash.ts";
import type { Reaper } from "../reaper.ts";
import { waitForRemoval } from "../remove.ts";
import type { TrashPort } from "./trash-port.ts";

/** The trash of a caller. What is outside the caller's scope is missing. */
export interface TrashService {
  /** Latest deletion first. */
  list(query: Omit<TrashQuery, "within">): Promise<TrashPage>;
  totals(): Promise<TrashTotals>;
  /** Fault "not_found": the trash has nothing of it. */
  restore(selection: TrashSelection): Promise<RestoredTrash>;
  /** Deletes permanently. Returns the ids. Fault "not_found": the trash has nothing of it. */
  purge(selection: TrashSelection): Promise<string[]>;
  /** Permanently deletes everything that is in the trash at the time of the call. Returns the ids. */
  purgeAll(): Promise<string[]>;
}

/** Items that one change deletes permanently. */
const PURGE_BATCH = 500;

export function createTrashService(trash: TrashPort, reaper: Reaper): TrashService {
  return {
    list: (query) => trash.listTrash(query),
    totals: () => trash.trashTotals(),

    async restore(selection) {
      const result = await trash.restoreTrash(selection);
      const isMissing = result.failed.every(({ reason }) => reason === NOT_IN_TRASH);
      if (result.restored.length === 0 && isMissing) throw notInTrash();
      return result;
    },

    async purge(selection) {
      const deleted = await trash.purgeTrash(selection);
      if (deleted.length === 0) throw notInTrash();
      await waitForRemoval(reaper);
      return deleted;
    },

    async purgeAll() {
      const deleted: string[] = [];
      let after: TrashPage["next"];
      do {
        const page: TrashPage = await trash.listTrash({ after, limit: PURGE_BATCH });
        const ids = page.items.map(({ id }) => id);
        if (ids.length > 0) deleted.push(...(await trash.purgeTrash({ ids })));
        after = page.next;
      } while (after !== undefined);
      if (deleted.length > 0) await waitForRemoval(reaper);
      return deleted;
    },
  };
}

const notInTrash = (): Fault => new Fault("not_found", NOT_IN_TRASH);
