import { isInFolder } from "../../domain/callers/scope.ts";
import type { Key } from "../../domain/records.ts";
import { chain, type MaybePromise } from "../../lib/maybe-promise.ts";
import type { Engine } from "../engine/engine.ts";
import { compiledOnce, type Param } from "../engine/prepared-statement.ts";
import type { ChangesTable } from "../tables/changes.ts";

/** The latest entries of the change feed, by which caches tell what they still may return. */
export interface RecentChanges {
  /** The number of the last entry, of any process. */
  last(): MaybePromise<number>;
  /**
   * Whether an entry after this number, up to the last one that `last` has returned, may concern
   * the folder with this key or anything below it. True also if the entry is too long ago.
   */
  concern(folder: Key, after: number, foldersOnly: boolean): boolean;
}

type Change = Pick<ChangesTable, "kind" | "key" | "from_key"> & { readonly seq: number };

const MAX_CHANGES = 256;

/** undefined: the engine does not count commits. One that does numbers entries as it writes them. */
export function createRecentChanges({
  all,
  generation,
}: Pick<Engine, "all" | "generation">): RecentChanges | undefined {
  if (generation === undefined) return undefined;
  let changes: readonly Change[] = [];
  let seenGeneration = Number.NaN;

  return {
    last() {
      const current = generation();
      const lastSeq = changes.at(-1)?.seq ?? 0;
      if (current === seenGeneration) return lastSeq;
      return chain(all(latestAfter, { seq: lastSeq, limit: MAX_CHANGES }), (rows) => {
        // A call meanwhile may have read the same entries.
        const newer = rows.reverse().filter(({ seq }) => seq > (changes.at(-1)?.seq ?? 0));
        changes = [...changes, ...newer].slice(-MAX_CHANGES);
        seenGeneration = current;
        return changes.at(-1)?.seq ?? 0;
      });
    },
    concern(folder, after, foldersOnly) {
      const [first] = changes;
      const areRelated = (key: Key) => isInFolder(key, folder) || isInFolder(folder, key);
      // Entries have successive numbers, so none is missing from the first one on.
      if (first === undefined || first.seq > after + 1) return true;
      return changes.some(
        ({ seq, kind, key, from_key: fromKey }) =>
          seq > after &&
          !(foldersOnly && kind.startsWith("file.")) &&
          (areRelated(key) || (fromKey !== null && areRelated(fromKey))),
      );
    },
  };
}

const latestAfter = compiledOnce((db, param: Param<{ seq: number; limit: number }>) =>
  db
    .selectFrom("changes")
    .select(["seq", "kind", "key", "from_key"])
    .where("seq", ">", param("seq"))
    .orderBy("seq", "desc")
    .limit(param("limit"))
    .$castTo<Change>(),
);
