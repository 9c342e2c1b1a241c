import { change, fail } from "./queue.ts";
import type { Work } from "./work.ts";

const MAX_RESTARTS = 2;

/** The batches of a group do not exist any more: begins again. Gives up if that happens repeatedly. */
export function restartGroup(work: Work, id: number): void {
  const group = work.group(id);
  if (group === undefined) return;
  if (group.restarts >= MAX_RESTARTS) {
    const message = "The server has lost the files of this folder. Upload it again.";
    work.changeGroup(id, { state: "failed", message, batches: [] });
    return;
  }
  work.changeGroup(id, { batches: [], state: "opening", restarts: group.restarts + 1 });
  work.items = change(
    work.items,
    (item) => item.group === id && item.state !== "skipped" && item.state !== "failed",
    (item) => ({
      ...item,
      batch: undefined,
      url: undefined,
      sent: 0,
      mayBeStored: false,
      state: item.state === "paused" ? "paused" : "waiting",
    }),
  );
  // Files that were stored before a reload have not been given again.
  const missing = work.itemsOf(id).filter(({ content }) => content === undefined);
  const message = "The file has to be chosen again.";
  work.items = fail(work.items, new Set(missing.map((item) => item.id)), message);
}
