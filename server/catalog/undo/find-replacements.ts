import { type SqlBool, sql } from "kysely";
import type { BlobId, Millis } from "../../domain/records.ts";
import { chunks } from "../engine/chunks.ts";
import { firstId } from "../engine/ids.ts";
import type { Tx } from "../engine/tx.ts";
import type { TakenBack } from "../tables/undo.ts";
import type { ReplacedEvent } from "./undo-event.ts";
import { idOf, isCancelled, isIn, type Period, rejectMany } from "./undo-period.ts";
import { toStep, type UndoStep } from "./undo-steps.ts";

type Found = Omit<ReplacedEvent, "isContested" | "later" | "blobId"> & {
  isContested: boolean;
  readonly later: string[];
  blobId: BlobId | undefined;
};

/** Finds the first content that each of the files had in the period before the keys or the account replaced it. */
export async function findReplacements(
  tx: Tx,
  period: Period,
  fileIds: ReadonlySet<string>,
): Promise<ReplacedEvent[]> {
  const found: ReplacedEvent[] = [];
  for (const chunk of chunks([...fileIds])) {
    const { contents, passed } = await contentSteps(tx, period.since, chunk);
    const rows = await tx.db
      .selectFrom("versions")
      .select(["id", "file_id as fileId", "replaced_at as at", "actor"])
      .where("file_id", "in", chunk)
      .where("id", ">=", firstId(period.since))
      .orderBy("id")
      .execute();
    const first = new Map<string, Found>();
    /** The last version of each file that is not to be undone. */
    const lastOfOthers = new Map<string, string>();
    for (const { id, fileId, at, actor } of rows) {
      const { blobId, restores } = contents.get(id) ?? {};
      const change: TakenBack = {
        at,
        by: idOf(actor),
        takesBack: takenBackBy(contents, id, lastOfOthers.get(fileId)),
      };
      if (passed.has(id)) continue;
      const known = first.get(fileId);
      if (isCancelled(period, change)) {
        // The file has the content again that it had before that version.
        if (known !== undefined && restores !== undefined) {
          if (known.id > restores) first.delete(fileId);
          else known.blobId = blobId;
        }
        continue;
      }
      const isWanted = isIn(period, change);
      if (!isWanted) lastOfOthers.set(fileId, id);
      if (known === undefined) {
        if (!isWanted) continue;
        const event = { kind: "replaced", id, fileId, isContested: false } as const;
        first.set(fileId, { ...event, ...change, later: [], blobId });
      } else if (isWanted) {
        known.later.push(id);
        known.blobId = blobId;
      } else {
        // It has been replaced since, by others or later.
        known.isContested = true;
      }
    }
    found.push(...first.values());
    rejectMany(found.length);
  }
  return found;
}

type ContentStep = Extract<UndoStep, { kind: "content" }> & {
  readonly by: string;
  readonly at: Millis;
};

/** Restores of restores of the same file: the undo of an undo keeps them as nested JSON. */
const MAX_LINKS = 1000;

/**
 * Returns the replacement that the one which made a version took back: as part of an undo, or because it restored the
 * content from before. `lastOfOthers`: a version that a restore must not pass over to count.
 */
function takenBackBy(
  contents: ReadonlyMap<string, ContentStep>,
  version: string,
  lastOfOthers = "",
): TakenBack | undefined {
  const links: ContentStep[] = [];
  let taken: TakenBack | undefined;
  for (let step = contents.get(version); step !== undefined; ) {
    const { takesBack, restores = "" } = step;
    const isRestore = takesBack === undefined && restores >= lastOfOthers;
    step = isRestore && links.length < MAX_LINKS ? contents.get(restores) : undefined;
    if (step === undefined) taken = takesBack;
    else links.push(step);
  }
  for (const { at, by } of links.reverse()) taken = { at, by, takesBack: taken };
  return taken;
}

/** Returns everybody's content steps of some files since a time, by the ids of the versions that they made. */
async function contentSteps(tx: Tx, since: Millis, fileIds: readonly string[]) {
  const rows = await tx.db
    .selectFrom("undo_steps")
    .selectAll()
    .where("subject_id", "in", fileIds)
    .where("id", ">=", firstId(since))
    // As the partial index says it.
    .where(sql<SqlBool>`kind in ('content', 'passed')`)
    .execute();
  const contents = new Map<string, ContentStep>();
  const passed = new Set<string>();
  for (const row of rows) {
    const step = toStep(row);
    if (step.kind === "content") {
      contents.set(step.version, { ...step, at: row.at, by: row.actor_id });
    } else if (step.kind === "passed") passed.add(step.version);
  }
  return { contents, passed };
}
