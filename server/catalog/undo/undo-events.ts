import { forbidden } from "../../domain/callers/scope.ts";
import { Fault } from "../../domain/fault.ts";
import { chunks } from "../engine/chunks.ts";
import { firstId } from "../engine/ids.ts";
import type { Tx } from "../engine/tx.ts";
import type { WantedUndo } from "../port/undo.ts";
import type { TrashItemsTable } from "../tables/trash.ts";
import { toStep, type UndoStep } from "./undo-steps.ts";

/** Something that can be undone. */
export type UndoEvent = { readonly at: number; readonly id: string } & (
  | { readonly kind: "deleted"; readonly item: TrashItemsTable }
  | {
      readonly kind: "replaced";
      readonly fileId: string;
      readonly isContested: boolean;
      /** The contents that came after the first. */
      readonly later: readonly string[];
    }
  | { readonly kind: "changed"; readonly step: UndoStep }
);

/** More would keep others waiting for too long. */
const MAX_EVENTS = 200_000;

/** What the keys or the account did in the time, latest first. Faults: see `UndoChanges`. */
export async function findEvents(tx: Tx, wanted: WantedUndo): Promise<UndoEvent[]> {
  const family = await familyOf(tx, wanted.by);
  if (wanted.maker !== undefined && !(await familyOf(tx, wanted.maker)).has(wanted.by)) {
    throw forbidden("admin");
  }
  const events = [
    ...(await deletions(tx, wanted, family)),
    ...(wanted.onlyDeletions ? [] : await replacements(tx, wanted, family)),
    ...(wanted.onlyDeletions ? [] : await steps(tx, wanted, family)),
  ];
  if (events.length > MAX_EVENTS) {
    throw new Fault(
      "too_large",
      `There are more than ${MAX_EVENTS} changes to undo: undo a shorter time, or in one folder after another.`,
      { code: "too_many", details: { limit: MAX_EVENTS } },
    );
  }
  return events.sort(latestFirst);
}

/** Of the same time: properties first, which gives names back, then contents, then what was deleted. */
const ORDER = { changed: 0, replaced: 1, deleted: 2 } as const;

const latestFirst = (one: UndoEvent, other: UndoEvent): number =>
  other.at - one.at ||
  ORDER[one.kind] - ORDER[other.kind] ||
  (one.id < other.id ? 1 : one.id > other.id ? -1 : 0);

/** The id, and those of the keys that descend from it, also of those that are gone. */
async function familyOf(tx: Tx, id: string): Promise<Set<string>> {
  const family = new Set([id]);
  for (let generation = [id]; generation.length > 0; ) {
    const children: string[] = [];
    for (const chunk of chunks(generation)) {
      for (const table of ["api_keys", "former_keys"] as const) {
        const rows = tx.db.selectFrom(table).select("id").where("parent_id", "in", chunk);
        children.push(...(await rows.execute()).map((row) => row.id));
      }
    }
    generation = children.filter((child) => !family.has(child));
    for (const child of generation) family.add(child);
  }
  return family;
}

const isOf = (actor: string, family: ReadonlySet<string>): boolean => {
  const { id }: { id: string | null } = JSON.parse(actor);
  return id !== null && family.has(id);
};

async function deletions(
  tx: Tx,
  { since, until = Number.MAX_SAFE_INTEGER }: WantedUndo,
  family: ReadonlySet<string>,
): Promise<UndoEvent[]> {
  const rows = await tx.db
    .selectFrom("trash_deletions")
    .innerJoin("trash_items", "trash_items.undo_id", "trash_deletions.undo_id")
    .selectAll("trash_items")
    .select(["trash_deletions.deleted_at", "trash_deletions.actor"])
    .where("trash_deletions.deleted_at", ">=", since)
    .where("trash_deletions.deleted_at", "<=", until)
    .execute();
  return rows
    .filter(({ actor }) => isOf(actor, family))
    .map(({ deleted_at: at, actor: _, ...item }) => ({
      kind: "deleted",
      at,
      id: item.subject_id,
      item,
    }));
}

/** The first content of each file that was replaced. */
async function replacements(
  tx: Tx,
  { since, until = Number.MAX_SAFE_INTEGER }: WantedUndo,
  family: ReadonlySet<string>,
): Promise<UndoEvent[]> {
  const rows = await tx.db
    .selectFrom("versions")
    .select(["id", "file_id as fileId", "replaced_at as at", "actor"])
    // Ids begin with the time, and there is no other index of it.
    .where("id", ">=", firstId(since))
    .orderBy("id")
    .execute();
  const first = new Map<string, Extract<UndoEvent, { kind: "replaced" }>>();
  for (const { id, fileId, at, actor } of rows) {
    const found = first.get(fileId);
    const isWanted = isOf(actor, family) && at >= since && at <= until;
    if (found === undefined) {
      if (!isWanted) continue;
      first.set(fileId, { kind: "replaced", at, id, fileId, isContested: false, later: [] });
    } else if (isWanted) first.set(fileId, { ...found, later: [...found.later, id] });
    // It has been replaced since, by others or later.
    else first.set(fileId, { ...found, isContested: true });
  }
  return [...first.values()];
}

async function steps(
  tx: Tx,
  { since, until = Number.MAX_SAFE_INTEGER }: WantedUndo,
  family: ReadonlySet<string>,
): Promise<UndoEvent[]> {
  const found: UndoEvent[] = [];
  for (const chunk of chunks([...family])) {
    const rows = await tx.db
      .selectFrom("undo_steps")
      .selectAll()
      .where("actor_id", "in", chunk)
      .where("at", ">=", since)
      .where("at", "<=", until)
      .execute();
    for (const row of rows) {
      found.push({ kind: "changed", at: row.at, id: row.id, step: toStep(row) });
    }
  }
  return found;
}
