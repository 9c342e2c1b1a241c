import { forbidden } from "../../domain/callers/scope.ts";
import { Fault } from "../../domain/faults/fault.ts";
import type { BlobId, Millis } from "../../domain/records.ts";
import { chunks } from "../engine/chunks.ts";
import { firstId } from "../engine/ids.ts";
import type { Tx } from "../engine/tx.ts";
import type { WantedUndo } from "../port/undo.ts";
import type { TrashItemsTable } from "../tables/trash.ts";
import type { TakenBack } from "../tables/undo.ts";
import { toStep, type UndoStep } from "./undo-steps.ts";

/** Something that can be undone. */
export type UndoEvent = { readonly at: number; readonly id: string } & (
  | ({ readonly kind: "deleted"; readonly item: TrashItemsTable } & TakenBack)
  | ReplacedEvent
  | { readonly kind: "changed"; readonly by: string; readonly step: UndoStep }
);

interface ReplacedEvent extends TakenBack {
  readonly id: string;
  readonly kind: "replaced";
  readonly fileId: string;
  readonly isContested: boolean;
  /** The contents that came after the first. */
  readonly later: readonly string[];
  /** The blob of the last content that the file got. undefined: it is not recorded any more. */
  readonly blobId: BlobId | undefined;
}

/** Selects the changes to undo: by whom, and from when to when. */
interface Period {
  readonly since: Millis;
  readonly until: Millis;
  /** The ids of the keys or the account. */
  readonly family: ReadonlySet<string>;
}

/** More would keep others waiting for too long. */
const MAX_EVENTS = 200_000;

/** Returns the events that the keys or the account caused in the period, latest first. Faults: see `UndoChanges`. */
export async function findEvents(tx: Tx, wanted: WantedUndo): Promise<UndoEvent[]> {
  const family = await familyOf(tx, wanted.by);
  const { by, maker } = wanted;
  const isOwn = maker === undefined || (await familyOf(tx, maker)).has(by);
  if (!isOwn && !(await isKeyOf(tx, { by, maker }))) throw forbidden("admin");
  const { since, until = Number.MAX_SAFE_INTEGER } = wanted;
  const period: Period = { since, until, family };
  const events = [
    ...(await deletions(tx, period)),
    ...(wanted.onlyDeletions ? [] : await replacements(tx, period)),
    ...(wanted.onlyDeletions ? [] : await steps(tx, period)),
  ];
  rejectMany(events);
  return events.sort(latestFirst);
}

/** Fault "too_large": there are more than `MAX_EVENTS`. */
function rejectMany({ length }: readonly unknown[]): void {
  if (length <= MAX_EVENTS) return;
  throw new Fault(
    "too_large",
    `There are more than ${MAX_EVENTS} changes to undo: undo a shorter time.`,
    { code: "too_many", details: { limit: MAX_EVENTS } },
  );
}

const latestFirst = (one: UndoEvent, other: UndoEvent): number =>
  latestChangeFirst(changeOf(one), changeOf(other)) ||
  rank(one) - rank(other) ||
  (one.kind === "deleted" && other.kind === "deleted"
    ? byDeletion(one.item, other.item)
    : compare(other.id, one.id));

/** An undo goes from the latest change to the earliest, so its parts are taken back the other way round. */
function latestChangeFirst(one: TakenBack, other: TakenBack): number {
  if (one.at !== other.at) return other.at - one.at;
  if (one.takesBack === undefined || other.takesBack === undefined) return 0;
  return latestChangeFirst(other.takesBack, one.takesBack);
}

const changeOf = (event: UndoEvent): TakenBack =>
  event.kind === "changed" ? { ...event, takesBack: event.step.takesBack } : event;

/**
 * Orders events of the same time: what was restored, files before the folders that they may be in; properties, because
 * that frees names; contents; deletions.
 */
function rank(event: UndoEvent): number {
  if (event.kind === "deleted") return 4;
  if (event.kind === "replaced") return 3;
  if (event.step.kind !== "restored") return 2;
  return event.step.state.of === "folder" ? 1 : 0;
}

/** The latest deletion first; of each the folders first, and of these the containing ones. */
const byDeletion = (one: TrashItemsTable, other: TrashItemsTable): number =>
  compare(other.undo_id, one.undo_id) ||
  compare(other.kind, one.kind) ||
  compare(one.key, other.key);

const compare = (one: string, other: string): number => (one < other ? -1 : one > other ? 1 : 0);

/** Whether it is a key that the account has made. */
async function isKeyOf(tx: Tx, { by, maker }: { by: string; maker: string }): Promise<boolean> {
  const key = tx.db
    .selectFrom("api_keys")
    .select("id")
    .where("id", "=", by)
    .where("account_id", "=", maker);
  return (await key.executeTakeFirst()) !== undefined;
}

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

const idOf = (actor: string): string => {
  const { id }: { id: string | null } = JSON.parse(actor);
  return id ?? "";
};

const isIn = ({ since, until, family }: Period, { at, by }: TakenBack): boolean =>
  family.has(by) && at >= since && at <= until;

/** Whether it is part of an undo, and what that took back is in the period as well: together they changed nothing. */
function isCancelled(period: Period, { takesBack }: Pick<TakenBack, "takesBack">): boolean {
  return takesBack !== undefined && isIn(period, takesBack) && !isCancelled(period, takesBack);
}

async function deletions(tx: Tx, period: Period): Promise<UndoEvent[]> {
  const trashed = await trashedAgain(tx, period.since);
  const made = await tx.db
    .selectFrom("trash_deletions")
    .select(["undo_id as undoId", "deleted_at as at", "actor"])
    .where("deleted_at", ">=", period.since)
    .where("deleted_at", "<=", period.until)
    .execute();
  const wanted = new Map(
    made.flatMap(({ undoId, at, actor }) => {
      const by = idOf(actor);
      return period.family.has(by) ? [[undoId, { at, by }]] : [];
    }),
  );
  const found: UndoEvent[] = [];
  // Others may have put millions of files into the trash.
  for (const chunk of chunks([...wanted.keys()])) {
    const items = await tx.db
      .selectFrom("trash_items")
      .selectAll()
      .where("undo_id", "in", chunk)
      .limit(MAX_EVENTS + 1)
      .execute();
    rejectMany(items);
    for (const item of items) {
      const deletion = wanted.get(item.undo_id);
      if (deletion === undefined) continue;
      const id = item.subject_id;
      const change = { ...deletion, takesBack: trashed.get(`${deletion.at} ${id}`) };
      if (!isCancelled(period, change)) found.push({ kind: "deleted", id, item, ...change });
    }
    rejectMany(found);
  }
  return found;
}

/** Returns the restores that undos have taken back since a time, by the time and the id of the item in the trash. */
async function trashedAgain(tx: Tx, since: Millis): Promise<Map<string, TakenBack | undefined>> {
  const rows = await tx.db
    .selectFrom("undo_steps")
    .selectAll()
    .where("id", ">=", firstId(since))
    .where("kind", "=", "trashed")
    .execute();
  return new Map(rows.map((row) => [`${row.at} ${row.subject_id}`, toStep(row).takesBack]));
}

type Found = Omit<ReplacedEvent, "isContested" | "later" | "blobId"> & {
  isContested: boolean;
  readonly later: string[];
  blobId: BlobId | undefined;
};

/** The first content of each file that was replaced. */
async function replacements(tx: Tx, period: Period): Promise<UndoEvent[]> {
  const { contents, passed } = await contentSteps(tx, period.since);
  const rows = await tx.db
    .selectFrom("versions")
    .select(["id", "file_id as fileId", "replaced_at as at", "actor"])
    // Ids begin with the time, and there is no other index of it.
    .where("id", ">=", firstId(period.since))
    .orderBy("id")
    .execute();
  const first = new Map<string, Found>();
  for (const { id, fileId, at, actor } of rows) {
    const { takesBack, blobId } = contents.get(id) ?? {};
    const change: TakenBack = { at, by: idOf(actor), takesBack };
    if (passed.has(id) || isCancelled(period, change)) continue;
    const found = first.get(fileId);
    const isWanted = isIn(period, change);
    if (found === undefined) {
      if (!isWanted) continue;
      const event = { kind: "replaced", id, fileId, isContested: false } as const;
      first.set(fileId, { ...event, ...change, later: [], blobId });
    } else if (isWanted) {
      found.later.push(id);
      found.blobId = blobId;
    } else {
      // It has been replaced since, by others or later.
      found.isContested = true;
    }
  }
  return [...first.values()];
}

type ContentStep = Extract<UndoStep, { kind: "content" }>;

/** Returns the content steps since a time, by the ids of the versions that they made. */
async function contentSteps(tx: Tx, since: Millis) {
  const rows = await tx.db
    .selectFrom("undo_steps")
    .selectAll()
    .where("id", ">=", firstId(since))
    .where("kind", "in", ["content", "passed"])
    .execute();
  const contents = new Map<string, ContentStep>();
  const passed = new Set<string>();
  for (const row of rows) {
    const step = toStep(row);
    if (step.kind === "content") contents.set(step.version, step);
    else if (step.kind === "passed") passed.add(step.version);
  }
  return { contents, passed };
}

async function steps(tx: Tx, period: Period): Promise<UndoEvent[]> {
  const found: UndoEvent[] = [];
  for (const chunk of chunks([...period.family])) {
    const rows = await tx.db
      .selectFrom("undo_steps")
      .selectAll()
      .where("actor_id", "in", chunk)
      .where("at", ">=", period.since)
      .where("at", "<=", period.until)
      .where("kind", "in", ["file", "folder", "visibility", "restored"])
      .limit(MAX_EVENTS + 1)
      .execute();
    rejectMany(rows);
    for (const row of rows) {
      const step = toStep(row);
      if (isCancelled(period, step)) continue;
      found.push({ kind: "changed", at: row.at, id: row.id, by: row.actor_id, step });
    }
  }
  return found;
}
