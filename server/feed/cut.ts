import type { FolderPlaces } from "../catalog/port/change-feed.ts";
import type { Key } from "../rules/records.ts";
import { isInFolder } from "../rules/scope.ts";
import type { TreeChange } from "../rules/tree-change.ts";
import { type ChangeView, NOTHING, viewOf } from "./change-view.ts";

/**
 * Limits the feed to what is in some folders, all of them, at any depth. It must get every change
 * after its position, in order: it follows the folders where they are moved.
 */
export interface Cut {
  /** undefined: the change is not in the folders. */
  view(change: TreeChange): ChangeView | undefined;
}

/** A folder that limits the feed. */
export interface CutFolder {
  readonly id: string;
  /** At the position where the cut begins; undefined: it did not exist yet. */
  readonly key: Key | undefined;
}

/** Without folders, everything is in view. */
export function createCut(folders: readonly CutFolder[]): Cut {
  if (folders.length === 0) return { view: viewOf };
  let places = folders;

  return {
    view(change) {
      const before = placesOf(places);
      places = places.map((folder) => ({ ...folder, key: keyAfter(folder, change) }));
      return viewBetween(change, before, placesOf(places));
    },
  };
}

/** The key that a folder had before the steps, of which the last one leads to its key now. */
export function keyBefore({ key, moves }: FolderPlaces): Key | undefined {
  let current = key;
  for (const step of moves.toReversed()) {
    if (!isInFolder(current, step.key)) continue;
    // Something else may have had the key before the folder was created.
    if (step.fromKey === null) return undefined;
    current = moved(current, step.key, step.fromKey);
  }
  return current;
}

/** What the folders contain in common at one moment. */
interface Places {
  contains(key: Key): boolean;
  /** The innermost of the folders, which is what they have in common; undefined: nothing is. */
  readonly top: { readonly id: string; readonly key: Key } | undefined;
}

function placesOf(folders: readonly CutFolder[]): Places {
  const present = folders.flatMap(({ id, key }) => (key === undefined ? [] : [{ id, key }]));
  const isIn = (key: Key): boolean => present.every((folder) => isInFolder(key, folder.key));
  const top = present.length < folders.length ? undefined : present.find(({ key }) => isIn(key));
  return { contains: (key) => top !== undefined && isInFolder(key, top.key), top };
}

function keyAfter({ id, key }: CutFolder, change: TreeChange): Key | undefined {
  if (change.kind === "folder.created" && change.folder.id === id) return change.folder.key;
  if (key === undefined) return undefined;
  if (change.kind === "folder.deleted" && isInFolder(key, change.key)) return undefined;
  if (change.kind === "folder.moved" && isInFolder(key, change.fromKey)) {
    return moved(key, change.fromKey, change.folder.key);
  }
  return key;
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
