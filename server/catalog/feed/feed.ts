import { sql } from "kysely";
import { Fault } from "../../domain/faults/fault.ts";
import type { Millis } from "../../domain/records.ts";
import type { FeedEntry, FeedPosition } from "../../domain/tree-change.ts";
import { chunks } from "../engine/chunks.ts";
import type { Engine } from "../engine/engine.ts";
import { compiledOnce, type Param, prepared } from "../engine/prepared-statement.ts";
import type { FolderPlaces, FolderStep } from "../port/feed.ts";
import { isLive } from "../records/outside-tree.ts";
import { type FeedRow, positionOf, toFeedEntry } from "./feed-row.ts";

export function createFeedQueries({ db, first, all, numberChanges = async () => {} }: Engine) {
  /** The deletions of folders that were restored since, which come before that. */
  async function deletionsOf(ids: readonly string[], { seq }: FeedPosition): Promise<Step[]> {
    const found: Step[] = [];
    for (const chunk of chunks([...new Set(ids)])) {
      const rows = await db
        .selectFrom("changes")
        .select(["seq", "subject_id as id", "key", "key as fromKey"])
        .where("seq", ">", seq)
        .where("kind", "=", "folder.deleted")
        .where("subject_id", "in", chunk)
        .execute();
      found.push(...rows.map((row) => ({ ...row, kind: "folder.deleted" as const })));
    }
    return found;
  }

  return {
    async feedEnd(): Promise<FeedPosition> {
      await numberChanges();
      return positionFrom(await first(lastEntry, {}));
    },

    async changesAfter({ seq, check }: FeedPosition, limit: number): Promise<FeedEntry[]> {
      await numberChanges();
      // The entry at the position itself shows that the position is one of this feed, and that no
      // later entry has been removed.
      const [here, ...rows] = await all(entriesFrom, { seq, limit: limit + 1 });
      if (here?.seq !== seq || positionOf(here).check !== check) throw gone();
      return rows.map(toFeedEntry);
    },

    async feedStart(): Promise<FeedPosition> {
      await numberChanges();
      const [entry] = await all(entriesFrom, { seq: 0, limit: 1 });
      return positionFrom(entry);
    },

    async feedPositionAt(moment: Millis): Promise<FeedPosition> {
      await numberChanges();
      // Times need not be in order.
      const { seq } = await db
        .selectFrom("changes")
        .select((eb) => eb.fn.min("seq").as("seq"))
        .where("at", ">=", moment)
        .where("seq", "is not", null)
        .executeTakeFirstOrThrow();
      if (seq === null) return positionFrom(await first(lastEntry, {}));
      // Before the first entry there is none.
      const [before] = await all(entriesFrom, { seq: seq - 1, limit: 1 });
      return positionFrom(before);
    },

    async folderPlaces(id: string, after: FeedPosition): Promise<FolderPlaces | undefined> {
      for (;;) {
        await numberChanges();
        const rows = await all(placesOf, { id, seq: after.seq });
        const [row] = rows;
        if (row === undefined) return undefined;
        // One statement sees one moment, in which the last entries may have had no number.
        const moves = rows.flatMap(({ kind, seq, subjectId: stepId, moveKey, fromKey }) =>
          kind === null || stepId === null || moveKey === null
            ? []
            : [{ seq, kind, id: stepId, key: moveKey, fromKey: fromKey ?? moveKey }],
        );
        if (moves.some(({ seq }) => seq === null)) continue;
        const restored = moves.filter(({ kind }) => kind === "folder.restored");
        const deletions = await deletionsOf(
          restored.map((step) => step.id),
          after,
        );
        const steps = [...moves, ...deletions].sort((a, b) => (a.seq ?? 0) - (b.seq ?? 0));
        return { key: row.key, moves: steps.map(({ seq: _, ...step }) => step) };
      }
    },
  };
}

function positionFrom(row: FeedRow | undefined): FeedPosition {
  if (row === undefined) throw new Error("The catalog has lost its change feed.");
  return positionOf(row);
}

type Step = FolderStep & { readonly seq: number | null };

const gone = (): Fault =>
  new Fault(
    "gone",
    "The change feed no longer reaches back to this cursor, or was restarted. List the files and folders again, and continue with a new cursor.",
  );

const columns = ["seq", "kind", "subject_id", "key", "from_key", "actor", "at", "data"] as const;

const lastEntry = prepared((db, _param: Param<Record<never, never>>) =>
  db
    .selectFrom("changes")
    .select(columns)
    .where("seq", "is not", null)
    .orderBy("seq", "desc")
    .limit(1)
    .$castTo<FeedRow>(),
);

const entriesFrom = compiledOnce((db, param: Param<{ seq: number; limit: number }>) =>
  db
    .selectFrom("changes")
    .select(columns)
    .where("seq", ">=", param("seq"))
    .orderBy("seq")
    .limit(param("limit"))
    .$castTo<FeedRow>(),
);

/** The folder's key, and the later entries that may have changed keys of folders, if any. */
const placesOf = compiledOnce((db, param: Param<{ id: string; seq: number }>) =>
  db
    .selectFrom("folders")
    .leftJoin("changes", (join) =>
      join
        .on("changes.kind", "in", ["folder.created", "folder.moved", "folder.restored"])
        .on((eb) =>
          eb.or([
            eb("changes.kind", "in", ["folder.moved", "folder.restored"]),
            eb("changes.subject_id", "=", param("id")),
          ]),
        )
        .on((eb) => eb.or([eb("changes.seq", ">", param("seq")), eb("changes.seq", "is", null)])),
    )
    .where("folders.id", "=", param("id"))
    .where(isLive)
    .select([
      "folders.key",
      "changes.seq",
      sql<FolderStep["kind"] | null>`changes.kind`.as("kind"),
      "changes.subject_id as subjectId",
      "changes.key as moveKey",
      "changes.from_key as fromKey",
    ])
    .orderBy("changes.seq"),
);
