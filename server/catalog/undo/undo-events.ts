import { forbidden } from "../../domain/callers/scope.ts";
import { chunks } from "../engine/chunks.ts";
import { firstId } from "../engine/ids.ts";
import type { Tx } from "../engine/tx.ts";
import type { WantedUndo } from "../port/undo.ts";
import type { TakenBack } from "../tables/undo.ts";
import { findDeletions } from "./find-deletions.ts";
import { findReplacements } from "./find-replacements.ts";
import type { FoundDeletion, FoundEvent, FoundStep } from "./undo-event.ts";
import { inPages, isCancelled, PAGE, type Period, rejectMany } from "./undo-period.ts";
import { toStep, type UndoStep } from "./undo-steps.ts";

/** Returns the events that the keys or the account caused in a period, earliest first. Faults: see `UndoChanges`. */
export async function findEvents(
  tx: Tx,
  wanted: WantedUndo,
): Promise<{ period: Period; events: FoundEvent[] }> {
  const family = await familyOf(tx, wanted.by);
  const { by, maker } = wanted;
  const isOwn = maker === undefined || (await familyOf(tx, maker)).has(by);
  if (!isOwn && !(await isKeyOf(tx, { by, maker }))) throw forbidden("admin", tx.actor);
  const { since, until = Number.MAX_SAFE_INTEGER } = wanted;
  const period: Period = { since, until, family };
  const own = await ownSteps(tx, period);
  const events: FoundEvent[] = await findDeletions(tx, period, own.trashed);
  if (!wanted.onlyDeletions) {
    for (const event of own.changed) events.push(event);
    rejectMany(events.length);
    for (const event of await findReplacements(tx, period, own.replaced)) events.push(event);
  }
  rejectMany(events.length);
  return { period, events: events.sort((one, other) => latestFirst(other, one)) };
}

const latestFirst = (one: FoundEvent, other: FoundEvent): number =>
  latestChangeFirst(one, other) ||
  rank(one) - rank(other) ||
  (one.kind === "deleted" && other.kind === "deleted" ? byDeletion(one, other) : 0) ||
  compare(other.id, one.id);

/** An undo goes from the latest change to the earliest, so its parts are taken back the other way round. */
function latestChangeFirst(one: TakenBack, other: TakenBack): number {
  if (one.at !== other.at) return other.at - one.at;
  if (one.takesBack === undefined || other.takesBack === undefined) return 0;
  return latestChangeFirst(other.takesBack, one.takesBack);
}

/**
 * Orders events of the same time: what was restored, files before the folders that they may be in; properties, because
 * that frees names; contents; deletions.
 */
function rank(event: FoundEvent): number {
  if (event.kind === "deleted") return 4;
  if (event.kind === "replaced") return 3;
  if (event.stepKind !== "restored") return 2;
  return event.of === "folder" ? 1 : 0;
}

/** The latest deletion first; of each the folders first, and of these the containing ones. */
const byDeletion = (one: FoundDeletion, other: FoundDeletion): number =>
  compare(other.undoId, one.undoId) ||
  compare(other.of, one.of) ||
  compare(one.folderKey, other.folderKey);

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

function subjectOf(step: UndoStep): "file" | "folder" {
  if (step.kind === "restored") return step.state.of;
  return step.kind === "file" ? "file" : "folder";
}

interface OwnSteps {
  readonly changed: FoundStep[];
  /** The ids of the files whose contents were replaced. */
  readonly replaced: ReadonlySet<string>;
  /** Restores that undos have taken back, by the time and the id of the item in the trash. */
  readonly trashed: ReadonlyMap<string, TakenBack | undefined>;
}

/** The changes of the keys or the account that are kept as steps. */
async function ownSteps(tx: Tx, period: Period): Promise<OwnSteps> {
  const changed: FoundStep[] = [];
  const replaced = new Set<string>();
  const trashed = new Map<string, TakenBack | undefined>();
  for (const by of period.family) {
    const rows = inPages(firstId(period.since), (after) =>
      tx.db
        .selectFrom("undo_steps")
        .selectAll()
        .where("actor_id", "=", by)
        .where("id", ">", after)
        .where("at", "<=", period.until)
        .orderBy("id")
        .limit(PAGE)
        .execute(),
    );
    for await (const row of rows) {
      const { id, at, subject_id: subject } = row;
      const step = toStep(row);
      if (at < period.since) continue;
      if (step.kind === "trashed") trashed.set(`${at} ${subject}`, step.takesBack);
      else if (step.kind === "content") replaced.add(subject);
      else if (step.kind !== "passed" && !isCancelled(period, step)) {
        const { takesBack, kind: stepKind } = step;
        changed.push({ kind: "changed", id, at, by, takesBack, stepKind, of: subjectOf(step) });
        rejectMany(changed.length);
      }
    }
  }
  return { changed, replaced, trashed };
}
