import type { ActivityObject } from "../../../../sdk/src/holdall.ts";
import { parseTimestamp } from "../../text/timestamp.ts";

/** A row of the list: a day's heading or an event. */
export type ActivityRow =
  | { readonly kind: "day"; readonly id: string; readonly text: string }
  | {
      readonly kind: "event";
      readonly id: string;
      readonly event: ActivityObject;
      /** The file or folder has been deleted since. */
      readonly isDeleted: boolean;
    };

const sameYear = new Intl.DateTimeFormat(undefined, {
  weekday: "long",
  day: "numeric",
  month: "long",
});
const otherYear = new Intl.DateTimeFormat(undefined, { dateStyle: "full" });

/** Groups events, newest first, by day in the browser's time zone. */
export function activityRows(events: readonly ActivityObject[], now: Date): ActivityRow[] {
  const rows: ActivityRow[] = [];
  const deletions = createDeletionTracker();
  let day = "";
  for (const event of events) {
    const at = parseTimestamp(event.at);
    if (at.toDateString() !== day) {
      day = at.toDateString();
      rows.push({ kind: "day", id: day, text: dayText(at, now) });
    }
    rows.push({ kind: "event", id: event.id, event, isDeleted: deletions.isDeleted(event) });
    deletions.record(event);
  }
  return rows;
}

function dayText(at: Date, now: Date): string {
  const yesterday = new Date(now.getFullYear(), now.getMonth(), now.getDate() - 1);
  if (at.toDateString() === now.toDateString()) return "Today";
  if (at.toDateString() === yesterday.toDateString()) return "Yesterday";
  return (at.getFullYear() === now.getFullYear() ? sameYear : otherYear).format(at);
}

/** Tracks deletions while going from newer to older events. */
function createDeletionTracker() {
  const ids = new Set<string>();
  const folders: string[] = [];
  return {
    isDeleted({ action, outcome, subject }: ActivityObject): boolean {
      if (subject === null) return false;
      const isDeletion = action === "deleteFiles" || action === "deleteFolder";
      if (isDeletion && outcome === "done") return true;
      if (subject.id !== null && ids.has(subject.id)) return true;
      return folders.some((folder) => subject.key?.startsWith(`${folder}/`) ?? false);
    },
    record({ action, outcome, subject }: ActivityObject): void {
      if (outcome !== "done" || subject === null) return;
      if (action !== "deleteFiles" && action !== "deleteFolder") return;
      if (subject.id !== null) ids.add(subject.id);
      if (action === "deleteFolder" && subject.key) folders.push(subject.key);
    },
  };
}
