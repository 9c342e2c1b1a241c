import type { ActivityObject } from "../../../../sdk/src/holdall.ts";
import { parseMoment } from "../../text/moment.ts";

/** A row of the list: a day's heading or an event. */
export type Line =
  | { readonly kind: "day"; readonly id: string; readonly text: string }
  | {
      readonly kind: "event";
      readonly id: string;
      readonly event: ActivityObject;
      /** The file or folder has been deleted since. */
      readonly isGone: boolean;
    };

const sameYear = new Intl.DateTimeFormat(undefined, {
  weekday: "long",
  day: "numeric",
  month: "long",
});
const otherYear = new Intl.DateTimeFormat(undefined, { dateStyle: "full" });

/** Groups events, newest first, by day in the browser's time zone. */
export function linesOf(events: readonly ActivityObject[], now: Date): Line[] {
  const lines: Line[] = [];
  const gone = createGone();
  let day = "";
  for (const event of events) {
    const at = parseMoment(event.at);
    if (at.toDateString() !== day) {
      day = at.toDateString();
      lines.push({ kind: "day", id: day, text: dayText(at, now) });
    }
    lines.push({ kind: "event", id: event.id, event, isGone: gone.has(event) });
    gone.note(event);
  }
  return lines;
}

function dayText(at: Date, now: Date): string {
  const yesterday = new Date(now.getFullYear(), now.getMonth(), now.getDate() - 1);
  if (at.toDateString() === now.toDateString()) return "Today";
  if (at.toDateString() === yesterday.toDateString()) return "Yesterday";
  return (at.getFullYear() === now.getFullYear() ? sameYear : otherYear).format(at);
}

/** Tracks deletions while going from newer to older events. */
function createGone() {
  const ids = new Set<string>();
  const folders: string[] = [];
  return {
    has({ action, outcome, subject }: ActivityObject): boolean {
      if (subject === null) return false;
      const isDeletion = action === "deleteFiles" || action === "deleteFolder";
      if (isDeletion && outcome === "done") return true;
      if (subject.id !== null && ids.has(subject.id)) return true;
      return folders.some((folder) => subject.key?.startsWith(`${folder}/`) ?? false);
    },
    note({ action, outcome, subject }: ActivityObject): void {
      if (outcome !== "done" || subject === null) return;
      if (action !== "deleteFiles" && action !== "deleteFolder") return;
      if (subject.id !== null) ids.add(subject.id);
      if (action === "deleteFolder" && subject.key) folders.push(subject.key);
    },
  };
}
