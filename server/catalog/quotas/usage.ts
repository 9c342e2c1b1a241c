import { keyNames } from "../../domain/names/name.ts";
import type { Key, Name } from "../../domain/records.ts";
import type { TrashItemsTable } from "../tables/trash.ts";

/** Contents of files: those of the files themselves, and earlier versions. */
export interface Amount {
  readonly bytes: number;
  readonly files: number;
}

/**
 * The folder directly below the root that contents count for: by its name if it is in the tree, else by its id.
 * undefined: none, as for files in the root.
 */
export type TopFolder = { readonly name: Name } | { readonly id: string } | undefined;

export interface MovedFiles {
  readonly ids: readonly string[];
  readonly from: TopFolder;
  readonly to: TopFolder;
}

export interface MovedFolder {
  readonly id: string;
  readonly from: TopFolder;
  readonly to: TopFolder;
  /** The contents shortly before the change, for a folder that is too large to be counted during it. */
  readonly measured?: Amount | undefined;
}

/** Collects how a change alters the contents of the folders directly below the root. `chargeUsage` writes it. */
export interface Usage {
  /** Contents were added, or with negative numbers removed. */
  add(top: TopFolder, amount: Amount): void;
  /** Contents of files were added or removed; the files are there at the end of the change. */
  addToFile(fileId: string, amount: Amount): void;
  /** Files were moved with their versions. They are there at the end of the change. */
  moveFiles(moved: MovedFiles): void;
  /** A folder was moved or removed with everything inside. Its files are there at the end of the change. */
  moveFolder(moved: MovedFolder): void;
  /** A folder was removed: it has no quota any more. */
  forget(folderId: string): void;
  /** A folder moves into another one: its quota, which has no limits, ends. */
  endQuota(folderId: string): void;
  /** Contents were lost somewhere: all quotas are to be recounted. */
  recountAll(): void;
}

/** The usage that a change has collected so far. */
export interface RecordedUsage extends Usage {
  readonly amounts: ReadonlyMap<string, { readonly top: TopFolder; readonly amount: Amount }>;
  readonly ofFiles: ReadonlyMap<string, Amount>;
  readonly movedFiles: readonly MovedFiles[];
  readonly movedFolders: readonly MovedFolder[];
  readonly forgotten: readonly string[];
  /** The ids of folders whose quotas without limits end. */
  readonly ended: readonly string[];
  readonly isUnknown: boolean;
  /** The usage of earlier parts of the change: see `settleUsage`. undefined: nothing was settled. */
  settled: SettledUsage | undefined;
  /** Forgets what was added and moved, which is settled. */
  clear(): void;
}

export interface SettledUsage {
  /** By the ids of the folders with a quota. */
  readonly charges: Map<string, Amount>;
  /** The ids of quotas to recount. */
  readonly recounts: Set<string>;
  /** Whether any folder has a quota. */
  readonly isNeeded: boolean;
}

export function createUsage(): RecordedUsage {
  const amounts = new Map<string, { top: TopFolder; amount: Amount }>();
  const ofFiles = new Map<string, Amount>();
  const movedFiles = new Map<string, MovedFiles & { readonly ids: string[] }>();
  const movedFolders: MovedFolder[] = [];
  const forgotten: string[] = [];
  const ended: string[] = [];
  let isUnknown = false;
  return {
    amounts,
    ofFiles,
    get movedFiles() {
      return [...movedFiles.values()];
    },
    movedFolders,
    forgotten,
    ended,
    settled: undefined,
    get isUnknown() {
      return isUnknown;
    },
    clear() {
      amounts.clear();
      ofFiles.clear();
      movedFiles.clear();
      movedFolders.length = 0;
    },
    add(top, amount) {
      if (top === undefined) return;
      const key = topId(top);
      amounts.set(key, { top, amount: sum(amounts.get(key)?.amount, amount) });
    },
    addToFile: (fileId, amount) => void ofFiles.set(fileId, sum(ofFiles.get(fileId), amount)),
    moveFiles({ ids, from, to }) {
      if (topId(from) === topId(to)) return;
      const way = `${topId(from)}/${topId(to)}`;
      const known = movedFiles.get(way);
      if (known === undefined) movedFiles.set(way, { ids: [...ids], from, to });
      else known.ids.push(...ids);
    },
    moveFolder(moved) {
      if (topId(moved.from) !== topId(moved.to)) movedFolders.push(moved);
    },
    forget: (folderId) => void forgotten.push(folderId),
    endQuota: (folderId) => void ended.push(folderId),
    recountAll() {
      isUnknown = true;
    },
  };
}

/** Equal for what is the same folder by its name, or by its id. */
export function topId(top: TopFolder): string {
  if (top === undefined) return "";
  return "name" in top ? `name ${top.name}` : `id ${top.id}`;
}

export const sum = (one: Amount | undefined, other: Amount): Amount =>
  one === undefined ? other : { bytes: one.bytes + other.bytes, files: one.files + other.files };

export const negative = ({ bytes, files }: Amount): Amount => ({ bytes: -bytes, files: -files });

/** One content for each of the sizes. */
export const contentsOf = (files: readonly { readonly size: number }[]): Amount => ({
  bytes: files.reduce((bytes, { size }) => bytes + size, 0),
  files: files.length,
});

/** Returns the top folder of the folder with this key and of its files. */
export function topOfFolder(key: Key): TopFolder {
  const [name] = keyNames(key);
  return name === undefined ? undefined : { name };
}

/** Returns the top folder of the file or subfolder with this key. */
export function topOfChild(key: Key): TopFolder {
  const [name, below] = keyNames(key);
  return name === undefined || below === undefined ? undefined : { name };
}

/** Returns the top folder that contained a trash item when it was deleted, wherever that folder is now. */
export function topOfItem({
  subject_id,
  kind,
  parent_ids,
}: Pick<TrashItemsTable, "subject_id" | "kind" | "parent_ids">): TopFolder {
  const [, id] = parent_ids.split(",");
  if (id !== undefined) return { id };
  return kind === "folder" ? { id: subject_id } : undefined;
}
