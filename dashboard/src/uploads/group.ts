import type { Visibility } from "../../../sdk/src/holdall.ts";
import { type Item, recordKey } from "./item.ts";

/**
 * - reading: the files of the folder are being listed.
 * - checking: looks for names that are taken. taken: some are, and the user has to decide.
 * - opening: creates its batches. sending: its files are sent, invisible to everybody.
 * - committing: all files appear. done: they have.
 * - interrupted: left over by a closed page; the folder has to be given again.
 * - failed: refused as a whole, with the reason in `message`. cancelled: by the user.
 */
export type GroupState =
  | "reading"
  | "checking"
  | "taken"
  | "opening"
  | "sending"
  | "committing"
  | "done"
  | "interrupted"
  | "failed"
  | "cancelled";

export type GroupDecision = "ask" | "replace" | "keepBoth" | "skip";

/** A folder to upload. All its files appear at once. */
export interface Group {
  readonly id: number;
  /** Identifies the group also after a reload and in other tabs. */
  readonly record: string;
  /** The key of the folder that gets it. */
  readonly folder: string;
  readonly name: string;
  /** The handle with which the browser finds the folder again. */
  readonly handle: FileSystemDirectoryHandle | undefined;
  /** The keys of the folders without files. */
  readonly emptyFolders: readonly string[];
  readonly state: GroupState;
  /** Files found so far while it is being read. */
  readonly found: number;
  /** Files whose names are taken. */
  readonly conflicts: number;
  readonly decision: GroupDecision;
  /** The batch URLs. More than one if the folder has more files than a batch may have. */
  readonly batches: readonly string[];
  /** Files that the commit skipped, because their names were taken. */
  readonly skipped: number;
  /** Files that the commit replaced and that can get their earlier content back. */
  readonly replaced: number;
  /** The visibility that its batches were opened with; undefined: none. */
  readonly visibility: Visibility | undefined;
  /** How often the batches were unknown to the server. */
  readonly restarts: number;
  readonly interruptions: number;
  readonly message: string | undefined;
}

export type Groups = readonly Group[];

export type NewGroup = Pick<Group, "folder" | "name" | "handle">;

export const groupOf = (id: number, { folder, name, handle }: NewGroup): Group => ({
  id,
  record: recordKey(id),
  folder,
  name,
  handle,
  emptyFolders: [],
  state: "reading",
  found: 0,
  conflicts: 0,
  decision: "ask",
  batches: [],
  skipped: 0,
  replaced: 0,
  visibility: undefined,
  restarts: 0,
  interruptions: 0,
  message: undefined,
});

export const changeGroup = (groups: Groups, id: number, changes: Partial<Group>): Groups =>
  groups.map((group) => (group.id === id ? { ...group, ...changes } : group));

/** Not finished, and not left over. */
export const isActive = ({ state }: Group): boolean =>
  state !== "done" && state !== "failed" && state !== "cancelled" && state !== "interrupted";

/** The folder of an item relative to the folder that gets the group. */
export const relativeFolder = ({ folder }: Item, group: Group): string =>
  group.folder === "" ? folder : folder.slice(group.folder.length + 1);

/** The maximum number of files in a batch. */
export const MAX_BATCH_FILES = 10_000;

/** Gives each item a batch with room for it. Returns the items, and the number of batches. */
export function assignBatches(
  items: readonly Item[],
  max = MAX_BATCH_FILES,
): { readonly assigned: ReadonlyMap<number, number>; readonly batches: number } {
  const sizes: number[] = [];
  for (const { batch } of items) {
    if (batch !== undefined) sizes[batch] = (sizes[batch] ?? 0) + 1;
  }
  const assigned = new Map<number, number>();
  let next = 0;
  for (const { id, batch } of items) {
    if (batch !== undefined) continue;
    while ((sizes[next] ?? 0) >= max) next += 1;
    sizes[next] = (sizes[next] ?? 0) + 1;
    assigned.set(id, next);
  }
  return { assigned, batches: sizes.length };
}
