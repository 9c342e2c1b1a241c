import { change, type Queue, retry } from "./queue.ts";
import type { Work } from "./work.ts";

/** Sends what failed of a folder again, or all of a folder that failed as a whole or was cancelled. */
export function retryGroup(work: Work, id: number): void {
  const items = work.itemsOf(id);
  work.items = retry(work.items, new Set(items.map((item) => item.id)));
  const group = work.group(id);
  if (group?.state !== "failed" && group?.state !== "cancelled") return;
  const hasBatches = group.batches.length > 0;
  // The content of a dropped batch is lost.
  if (!hasBatches) work.items = sendAgain(work.items, id);
  const state = hasBatches ? "sending" : "checking";
  work.changeGroup(id, { state, message: undefined, interruptions: 0, restarts: 0 });
}

const sendAgain = (queue: Queue, group: number): Queue =>
  change(
    queue,
    (item) => item.group === group,
    (item) => ({
      ...item,
      sent: 0,
      batch: undefined,
      ...(item.state === "done" ? { state: "waiting" } : {}),
    }),
  );
