import type { FolderPlaces } from "../catalog/port/feed.ts";
import { isInFolder } from "../domain/callers/scope.ts";
import type { Key } from "../domain/records.ts";
import type { TreeChange } from "../domain/tree-change.ts";
import { type ChangeView, NOTHING, viewOf } from "./change-view.ts";

/**
 * Limits the feed to changes in the given folders, at any depth. It must get every change
 * after its position, in order: it follows the folders where they are moved.
 */
export interface FeedScope {
  /** undefined: the change is not in the folders. */
  view(change: TreeChange): ChangeView | undefined;
  /** The places of the folders after the last change. */
  folders(): readonly ScopeFolder[];
}

/** A folder that limits the feed. */
export interface ScopeFolder {
  readonly id: string;
  /** At the position where the scope begins; undefined: it was not in the tree. */
  readonly key?: Key | undefined;
  /** The place that it had, if it was deleted. */
  readonly deleted?: DeletedPlace | undefined;
}

/** A place below a folder that was deleted, and may be restored. */
interface DeletedPlace {
  /** The id of that folder. */
  readonly id: string;
  /** The rest of the key below it. */
  readonly rest: string;
}

/** Without folders, everything is in view. */
export function createFeedScope(folders: readonly ScopeFolder[]): FeedScope {
  if (folders.length === 0) return { view: viewOf, folders: () => folders };
  let places = folders;

  return {
    folders: () => places,
    view(change) {
      const before = placesOf(places);
      places = places.map((folder) => placeAfter(folder, change));
      return viewBetween(change, before, placesOf(places));
    },
  };
}

/** The place that a folder had before the steps, of which the last one leads to its key now. */
export function placeBefore({ key, moves }: FolderPlaces): Omit<ScopeFolder, "id"> {
  let current = key;
  let deleted: DeletedPlace | undefined;
  for (const step of moves.toReversed()) {
    if (deleted !== undefined) {
      // Until it was deleted, nothing that happened to the tree concerned it.
      if (step.kind !== "folder.deleted" || step.id !== deleted.id) continue;
      current = `${step.key}${deleted.rest}` as Key;
      deleted = undefined;
    } else if (step.kind !== "folder.deleted" && isInFolder(current, step.key)) {
      // Something else may have had the key before the folder was created.
      if (step.kind === "folder.created") return { key: undefined };
      if (step.kind === "folder.restored") {
        deleted = { id: step.id, rest: current.slice(step.key.length) };
      } else current = moved(current, step.key, step.fromKey);
    }
  }
  return deleted === undefined ? { key: current } : { key: undefined, deleted };
}

/** What the folders contain in common at one moment. */
interface Places {
  contains(key: Key): boolean;
  /** The innermost of the folders, which is what they have in common; undefined: nothing is. */
  readonly top: { readonly id: string; readonly key: Key } | undefined;
}

function placesOf(folders: readonly ScopeFolder[]): Places {
  const present = folders.flatMap(({ id, key }) => (key === undefined ? [] : [{ id, key }]));
  const isIn = (key: Key): boolean => present.every((folder) => isInFolder(key, folder.key));
  const top = present.length < folders.length ? undefined : present.find(({ key }) => isIn(key));
  return { contains: (key) => top !== undefined && isInFolder(key, top.key), top };
}

function placeAfter(folder: ScopeFolder, change: TreeChange): ScopeFolder {
  const { id, key, deleted } = folder;
  if (change.kind === "folder.created" && change.folder.id === id) {
    return { id, key: change.folder.key };
  }
  if (change.kind === "folder.restored" && change.folder.id === deleted?.id) {
    return { id, key: `${change.folder.key}${deleted.rest}` as Key };
  }
  if (key === undefined) return folder;
  if (change.kind === "folder.deleted" && isInFolder(key, change.key)) {
    return { id, key: undefined, deleted: { id: change.id, rest: key.slice(change.key.length) } };
  }
  if (change.kind === "folder.moved" && isInFolder(key, change.fromKey)) {
    return { id, key: moved(key, change.fromKey, change.folder.key) };
  }
  return folder;
}

function viewBetween(change: TreeChange, before: Places, after: Places): ChangeView | undefined {
  const view = viewOf(change);
  const { id, key } = view;
  const wasIn = before.contains(view.fromKey ?? key);
  const isIn = after.contains(key);
  switch (change.kind) {
    case "file.deleted":
      return wasIn ? view : undefined;
    case "file.moved":
    case "folder.moved": {
      if (wasIn && isIn) return view;
      const kind = change.kind === "file.moved" ? "file" : "folder";
      if (wasIn) return { ...NOTHING, kind: `${kind}.deleted`, id, key: change.fromKey };
      if (isIn) {
        return { ...view, kind: `${kind}.created`, fromKey: null, hasContent: kind === "folder" };
      }
      return kind === "folder" ? viewOfTop(view, before, after) : undefined;
    }
    case "folder.deleted":
      return wasIn ? view : viewOfTop(view, before, after);
    case "folder.restored":
      if (isIn) return view;
      return before.top === undefined && after.top && isInFolder(after.top.key, key)
        ? { ...NOTHING, ...after.top, kind: "folder.restored", hasContent: true }
        : undefined;
    case "folder.updated":
      if (isIn) return view;
      // What a folder above does to its content it does to that of the top.
      return after.top && isInFolder(after.top.key, key) ? { ...view, ...after.top } : undefined;
    default:
      return isIn ? view : undefined;
  }
}

/** A folder that is not in view itself was moved or deleted, perhaps with the top in it. */
function viewOfTop(view: ChangeView, before: Places, after: Places): ChangeView | undefined {
  const { top } = before;
  if (top === undefined) return undefined;
  if (after.top === undefined) return { ...NOTHING, kind: "folder.deleted", ...top };
  if (after.top.key === top.key) return undefined;
  return {
    ...NOTHING,
    ...after.top,
    kind: view.kind,
    fromKey: top.key,
    visibility: view.visibility,
  };
}

/** The key after the folder that it is in has moved. The root does not move. */
const moved = (key: Key, from: Key, to: Key): Key => `${to}${key.slice(from.length)}` as Key;
