import { splitKey } from "../../domain/names/name.ts";
import type { FileRecord } from "../../domain/records.ts";
import { chunks } from "../engine/chunks.ts";
import type { Tx } from "../engine/tx.ts";
import { loadEvents } from "./load-events.ts";
import { lockEvents } from "./lock-events.ts";
import type { FoundEvent, UndoEvent } from "./undo-event.ts";

/** Events of one kind that are undone together. */
const AT_ONCE = 500;
/** Events that are loaded and ordered together. */
const WINDOW = 1000;

/**
 * Groups events of one kind, each group of which can be undone with a few statements. Events of one file, and events
 * that free or take the same name, stay in their order. Events of different files may pass each other, but none passes
 * an event of a folder, which may have contained its file. `events`: earliest first. The latest are taken out of it first,
 * so that its memory is free while the changes that undo them are kept for the feed.
 */
export async function* orderEvents(tx: Tx, events: FoundEvent[]): AsyncGenerator<UndoEvent[]> {
  let window: FoundEvent[] = [];
  for (let event = events.pop(); event !== undefined; event = events.pop()) {
    const ofFolder = isOfFolder(event);
    if (!ofFolder) window.push(event);
    if (ofFolder || window.length === WINDOW) {
      yield* groupsOf(tx, await loadEvents(tx, window));
      window = [];
    }
    if (ofFolder) yield loadEvents(tx, [event]);
  }
  yield* groupsOf(tx, await loadEvents(tx, window));
}

const isOfFolder = (event: FoundEvent): boolean =>
  event.kind !== "replaced" && event.of === "folder";

type Kind = "deleted" | "replaced" | "file" | "restored";

/** undefined: the event is about a folder. */
function kindOf(event: UndoEvent): Kind | undefined {
  if (event.kind === "deleted") return event.item.kind === "file" ? "deleted" : undefined;
  if (event.kind === "replaced") return "replaced";
  if (event.step.kind === "restored") {
    return event.step.state.of === "file" ? "restored" : undefined;
  }
  return event.step.kind === "file" ? "file" : undefined;
}

/** Each event is in the first level after all events that it must follow. */
async function* groupsOf(tx: Tx, window: readonly UndoEvent[]): AsyncGenerator<UndoEvent[]> {
  await lockEvents(tx, window);
  const places = await placesOf(tx, window);
  const last = new Map<string, number>();
  const levels: Map<Kind, UndoEvent[]>[] = [];
  for (const event of window) {
    const kind = kindOf(event);
    if (kind === undefined) continue;
    const subjects = [subjectOf(event), ...namesOf(event, places)];
    const level = Math.max(...subjects.map((subject) => last.get(subject) ?? 0));
    for (const subject of subjects) last.set(subject, level + 1);
    const groups = levels[level] ?? new Map<Kind, UndoEvent[]>();
    levels[level] = groups;
    const group = groups.get(kind);
    if (group === undefined) groups.set(kind, [event]);
    else group.push(event);
  }
  for (const groups of levels) {
    for (const group of groups.values()) yield* chunks(group, AT_ONCE);
  }
}

function subjectOf(event: UndoEvent): string {
  if (event.kind === "replaced") return event.fileId;
  return event.kind === "deleted" ? event.id : event.step.id;
}

type Place = Pick<FileRecord, "folderId" | "name">;

/** The names that undoing the event frees and takes. `places`: where the files are, kept up to date. */
function namesOf(event: UndoEvent, places: Map<string, Place>): string[] {
  if (event.kind === "replaced") return [];
  const id = subjectOf(event);
  if (event.kind === "deleted") {
    const folderId = event.item.parent_ids.split(",").at(-1) ?? "";
    const name = splitKey(event.item.key)?.name;
    if (name === undefined) return [];
    places.set(id, { folderId, name });
    return [nameIn({ folderId, name })];
  }
  const { step } = event;
  if (step.kind === "restored" && step.state.of === "file") return [nameIn(step.state)];
  const from = places.get(id);
  if (step.kind !== "file" || from === undefined) return [];
  const { folderId = from.folderId, name = from.name } = step.before;
  if (folderId === from.folderId && name === from.name) return [];
  places.set(id, { folderId, name });
  return [nameIn(from), nameIn({ folderId, name })];
}

const nameIn = ({ folderId, name }: Place): string => `${folderId}/${name}`;

/** The places that the files of the events have now. */
async function placesOf(tx: Tx, events: readonly UndoEvent[]): Promise<Map<string, Place>> {
  const moved = events.flatMap((event) =>
    event.kind === "changed" && event.step.kind === "file" ? [event.step.id] : [],
  );
  const places = new Map<string, Place>();
  for (const chunk of chunks([...new Set(moved)])) {
    const rows = tx.db.selectFrom("files").select(["id", "folder_id as folderId", "name"]);
    for (const { id, ...place } of await rows.where("id", "in", chunk).execute()) {
      places.set(id, place);
    }
  }
  return places;
}
