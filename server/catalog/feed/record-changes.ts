import type { Actor } from "../../domain/activity.ts";
import type { Millis } from "../../domain/records.ts";
import type { TreeChange } from "../../domain/tree-change.ts";
import { evenChunks } from "../engine/chunks.ts";
import { preparedForItems } from "../engine/prepared-statement.ts";
import type { Tx } from "../engine/tx.ts";
import type { PruneLimits } from "../port/feed.ts";
import { type NewFeedRow, toFeedRow } from "./feed-row.ts";

/**
 * Adds changes to the feed, in the transaction that makes them. Must be called when the transaction holds all the
 * locks of these changes, so that their entries come after those of every transaction that it waited for (see
 * `postgres/number-changes.ts`): once at the end, or after each of several parts that take their locks one after
 * another.
 */
export async function recordChanges(tx: Tx, changes: readonly TreeChange[]): Promise<void> {
  await recordChangesOf(tx, [{ actor: tx.actor, changes }]);
}

/** Like `recordChanges`, for the changes of several actors. */
export async function recordChangesOf(
  tx: Tx,
  parts: readonly { readonly actor: Actor; readonly changes: readonly TreeChange[] }[],
): Promise<void> {
  if (tx.collected !== undefined) {
    tx.collected.push(...parts.flatMap(({ changes }) => changes));
    return;
  }
  tx.dryRun?.changes.push(...parts.flatMap(({ changes }) => changes.map(onlyListed)));
  const rows = parts.flatMap(({ actor, changes }) => {
    const by = JSON.stringify(actor);
    return changes.map((change) => toFeedRow(change, by, tx.now));
  });
  for (const items of evenChunks(rows)) {
    await tx.all(insertChanges(items.length), { items, shared: {} });
  }
}

/** Without what the feed does not show: a dry run keeps all changes until its end. */
function onlyListed(change: TreeChange): TreeChange {
  if (!("file" in change)) return change;
  const { id, folderId, name, key, mimeType, size, visibility, createdAt, updatedAt } = change.file;
  const file = { id, folderId, name, key, mimeType, size, visibility, createdAt, updatedAt };
  return { ...change, file };
}

const insertChanges = preparedForItems<NewFeedRow, Record<never, never>, unknown>((db, rows) =>
  db.insertInto("changes").values(
    rows.map((row) => ({
      kind: row("kind"),
      subject_id: row("subject_id"),
      key: row("key"),
      from_key: row("from_key"),
      actor: row("actor"),
      at: row("at"),
      data: row("data"),
    })),
  ),
);

/**
 * Removes the oldest entries, which all come before those that stay: times need not be in order. The
 * newest one always stays.
 */
export async function pruneChanges(tx: Tx, { before, keep, limit }: PruneLimits): Promise<number> {
  const ends = await tx.db
    .selectFrom("changes")
    .select((eb) => [eb.fn.min("seq").as("first"), eb.fn.max("seq").as("last")])
    .executeTakeFirst();
  const { first = null, last = null } = ends ?? {};
  if (first === null || last === null) return 0;
  const firstRecent = await firstFrom(tx, before, limit);
  const firstKept = firstRecent === undefined ? last : await lastBefore(tx, firstRecent);
  const end = Math.min(Math.max(firstKept, last - keep + 1), first + limit, last);
  if (end <= first) return 0;
  await tx.db.deleteFrom("changes").where("seq", "<", end).execute();
  return end - first;
}

/**
 * The entry before this one, or this one if it is the first: readers who have read everything that is
 * older have its position.
 */
async function lastBefore(tx: Tx, seq: number): Promise<number> {
  const found = await tx.db
    .selectFrom("changes")
    .select((eb) => eb.fn.max("seq").as("seq"))
    .where("seq", "<", seq)
    .executeTakeFirst();
  return found?.seq ?? seq;
}

/** The first of the oldest entries that is from this moment or later. */
async function firstFrom(tx: Tx, moment: Millis, limit: number): Promise<number | undefined> {
  const found = await tx.db
    .selectFrom((eb) =>
      eb
        .selectFrom("changes")
        .select(["seq", "at"])
        .where("seq", "is not", null)
        .orderBy("seq")
        .limit(limit + 1)
        .as("oldest"),
    )
    .select("oldest.seq")
    .where("oldest.at", ">=", moment)
    .orderBy("oldest.seq")
    .limit(1)
    .executeTakeFirst();
  return found?.seq ?? undefined;
}
