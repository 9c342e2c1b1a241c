import type {
  RestoredTrash,
  TrashPage,
  TrashQuery,
  TrashSelection,
  TrashTotals,
} from "../../catalog/port/trash.ts";
import type { Authorized } from "../../domain/callers/authorize.ts";
import { checkResult } from "../../domain/dry-run.ts";
import { Fault } from "../../domain/faults/fault.ts";
import { NOT_IN_TRASH } from "../../domain/trash.ts";
import type { Reaper } from "../reaper.ts";
import { waitForRemoval } from "../remove.ts";
import type { TrashPort } from "./trash-port.ts";

/** The trash, as its callers see it. */
export interface TrashService {
  /** Latest deletion first. */
  list(caller: Authorized<"discard">, query: TrashQuery): Promise<TrashPage>;
  totals(caller: Authorized<"discard">): Promise<TrashTotals>;
  /** Fault "not_found": the trash has nothing of it. */
  restore(
    caller: Authorized<"discard" | "write">,
    selection: TrashSelection,
  ): Promise<RestoredTrash>;
  /** Deletes permanently. Returns the ids. Fault "not_found": the trash has nothing of it. */
  purge(caller: Authorized<"delete">, selection: TrashSelection): Promise<string[]>;
  /** Permanently deletes everything that is in the trash at the time of the call. Returns the ids. */
  purgeAll(caller: Authorized<"delete">): Promise<string[]>;
}

/** Items that one change deletes permanently. */
const PURGE_BATCH = 500;
/** A change that is only tried reports all that it would delete. */
const TRIED_AT_ONCE = 1_000_000;

export function createTrashService(trash: TrashPort, reaper: Reaper): TrashService {
  return {
    list: trash.listTrash,
    totals: trash.trashTotals,

    restore: (caller, selection) =>
      checkResult(trash.restoreTrash(caller, selection), ({ restored, failed }) => {
        const isMissing = failed.every(({ reason }) => reason === NOT_IN_TRASH);
        if (restored.length === 0 && isMissing) throw notInTrash();
      }),

    async purge(caller, selection) {
      const deleted = await checkResult(trash.purgeTrash(caller, selection), ({ length }) => {
        if (length === 0) throw notInTrash();
      });
      await waitForRemoval(reaper);
      return deleted;
    },

    async purgeAll(caller) {
      const deleted: string[] = [];
      const limit = caller.isDryRun === true ? TRIED_AT_ONCE : PURGE_BATCH;
      let after: TrashPage["next"];
      do {
        const page: TrashPage = await trash.listTrash(caller, { after, limit });
        const ids = page.items.map(({ id }) => id);
        if (ids.length > 0) deleted.push(...(await trash.purgeTrash(caller, { ids })));
        after = page.next;
      } while (after !== undefined);
      if (deleted.length > 0) await waitForRemoval(reaper);
      return deleted;
    },
  };
}

const notInTrash = (): Fault => new Fault("not_found", NOT_IN_TRASH);
