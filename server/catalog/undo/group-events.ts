import type { UndoEvent } from "./undo-events.ts";

/** Events of one kind that are undone together. */
const AT_ONCE = 500;

/** Neighbours that one change can undo, as their order among themselves makes no difference. */
export function* groupEvents(events: readonly UndoEvent[]): Generator<UndoEvent[]> {
  let group: UndoEvent[] = [];
  let subjects = new Set<string>();
  for (const event of events) {
    const [last] = group;
    const subject = event.kind === "changed" ? event.step.id : event.id;
    const fits =
      last !== undefined &&
      group.length < AT_ONCE &&
      !subjects.has(subject) &&
      groupKey(last) === groupKey(event);
    if (!fits && group.length > 0) {
      yield group;
      group = [];
      subjects = new Set();
    }
    group.push(event);
    subjects.add(subject);
  }
  if (group.length > 0) yield group;
}

/** Returns a text that is equal for events that may be undone together, and unique for every other event. */
function groupKey(event: UndoEvent): string {
  // A folder may have contained what was deleted before it.
  if (event.kind === "deleted") return event.item.kind === "file" ? "deleted" : event.id;
  // Each file has at most one such event.
  if (event.kind === "replaced") return "replaced";
  if (event.step.kind === "restored" && event.step.state.of === "file") return "restored";
  if (event.step.kind !== "file") return event.id;
  const { name, metadata, ...together } = event.step.before;
  return name === undefined && metadata === undefined ? JSON.stringify(together) : event.id;
}
