import type { Tx } from "../engine/tx.ts";
import { placesOf } from "../trash/trash-places.ts";
import { lockInFolders } from "../tree/lock-selected.ts";
import type { UndoEvent } from "./undo-event.ts";
import { liveFiles } from "./undo-run.ts";

/**
 * Locks the files of events, the folders that contain them and the folders that they return to. All folders at once, in
 * the order of their ids: each group of events on its own would lock them in another order than other changes do.
 */
export async function lockEvents(tx: Tx, events: readonly UndoEvent[]): Promise<void> {
  const items = events.flatMap((event) => (event.kind === "deleted" ? [event.item] : []));
  const targets = (await placesOf(tx, items)).map(({ folderId }) => folderId);
  const ids: string[] = [];
  for (const event of events) {
    if (event.kind === "replaced") ids.push(event.fileId);
    if (event.kind !== "changed") continue;
    const { step } = event;
    ids.push(step.id);
    if (step.kind === "file" && step.before.folderId !== undefined) {
      targets.push(step.before.folderId);
    }
  }
  const live = (await liveFiles(tx, ids)).map(({ id }) => id);
  await lockInFolders(tx, live, targets);
}
