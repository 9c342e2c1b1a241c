import type { ActivityObject } from "../../../../sdk/src/holdall.ts";
import { parseTimestamp } from "../../text/timestamp.ts";
import { groupEvents, mergeEvents } from "./group-events.ts";

export interface ActivityEntry {
  readonly event: ActivityObject;
  /** The file or folder has been deleted since, and not restored. */
  readonly isDeleted: boolean;
}

/** A row of the list: a day's heading, or an event or several that were one act. */
export type ActivityRow =
  | { readonly kind: "day"; readonly id: string; readonly text: string }
  | (ActivityEntry & {
      readonly kind: "event";
      readonly id: string;
      /** The events of the act, newest first; none if it is one. */
      readonly entries: readonly ActivityEntry[];
    });

const sameYear = new Intl.DateTimeFormat(undefined, {
  weekday: "long",
  day: "numeric",
  month: "long",
});
const otherYear = new Intl.DateTimeFormat(undefined, { dateStyle: "full" });

/** Groups events, newest first, by act, and by day in the browser's time zone. */
export function activityRows(events: readonly ActivityObject[], now: Date): ActivityRow[] {
  const rows: ActivityRow[] = [];
  const deletions = createDeletionTracker();
  let day = "";
  for (const group of groupEvents(events)) {
    const at = parseTimestamp(group[0].at);
    if (at.toDateString() !== day) {
      day = at.toDateString();
      rows.push({ kind: "day", id: day, text: dayText(at, now) });
    }
    const entries = group.map((event): ActivityEntry => {
      const isDeleted = deletions.isDeleted(event);
      deletions.record(event);
      return { event, isDeleted };
    });
    const event = mergeEvents(group);
    rows.push({
      // The group grows at its newest end, and its line keeps the focus.
      kind: "event",
      id: (group.at(-1) ?? event).id,
      event,
      isDeleted: entries.every((entry) => entry.isDeleted),
      entries: entries.length === 1 ? [] : entries,
    });
  }
  return rows;
}

function dayText(at: Date, now: Date): string {
  const yesterday = new Date(now.getFullYear(), now.getMonth(), now.getDate() - 1);
  if (at.toDateString() === now.toDateString()) return "Today";
  if (at.toDateString() === yesterday.toDateString()) return "Yesterday";
  return (at.getFullYear() === now.getFullYear() ? sameYear : otherYear).format(at);
}

/**
 * Tracks deletions while going from newer to older events. A restore of several items names only one
 * of them, so that older deletions to the trash may all have been undone.
 */
function createDeletionTracker() {
  const ids = new Set<string>();
  const folders: string[] = [];
  const restoredIds = new Set<string>();
  let hasRestoredMore = false;
  const isUndone = ({ detail, subject }: ActivityObject): boolean =>
    detail.trash === true && (hasRestoredMore || restoredIds.has(subject?.id ?? ""));
  return {
    isDeleted(event: ActivityObject): boolean {
      const { outcome, subject } = event;
      if (subject === null) return false;
      if (isDeletion(event) && outcome === "done" && !isUndone(event)) return true;
      if (subject.id !== null && ids.has(subject.id)) return true;
      return folders.some((folder) => subject.key?.startsWith(`${folder}/`) ?? false);
    },
    record(event: ActivityObject): void {
      const { action, outcome, subject, detail } = event;
      if (outcome !== "done" || subject === null) return;
      if (action === "restoreTrash") {
        if (subject.id !== null) restoredIds.add(subject.id);
        hasRestoredMore ||= detail.items !== 1;
      }
      if (!isDeletion(event) || isUndone(event)) return;
      if (subject.id !== null) ids.add(subject.id);
      if (action === "deleteFolder" && subject.key) folders.push(subject.key);
    },
  };
}

const isDeletion = ({ action }: ActivityObject): boolean =>
  action === "deleteFiles" || action === "deleteFolder";
