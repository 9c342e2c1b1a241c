import { keyNames } from "../../rules/name.ts";
import type { FolderRecord, Name } from "../../rules/records.ts";
import type { TreeChange } from "../../rules/tree-change.ts";
import { chunks } from "../chunks.ts";
import { selectFolders } from "../queries/select-records.ts";
import { takenBy } from "../queries/taken-names.ts";
import type { TrashPlace } from "../queries/trash-places.ts";
import type { Tx } from "../tx.ts";
import { insertFolders, newFolder } from "./insert-folders.ts";
import { freeName } from "./resolve-conflicts.ts";

/** Finds and makes the folders that items from the trash go to. The tree must be locked. */
export interface RestorePaths {
  /**
   * Locks the folders of these places that exist, and those with these ids, in the trash. To be called
   * once, before any change.
   */
  lock(places: readonly TrashPlace[], trashed: readonly string[]): Promise<void>;
  find(place: TrashPlace): Promise<FoundPath>;
  /**
   * The folder, with those that are missing made, and entered into the feed. Those for objects are
   * implicit, but a bucket.
   */
  make(path: FoundPath, isForObjects?: boolean): Promise<FolderRecord>;
}

export interface FoundPath {
  /** The deepest folder of the path that exists. */
  readonly folder: FolderRecord;
  /** The names of those below it. The first one is free. */
  readonly missing: readonly Name[];
  /** The first one's name on the path; undefined: none is missing. */
  readonly wanted?: Name;
}

export function createRestorePaths(tx: Tx, changes: TreeChange[]): RestorePaths {
  /** Those made under another name than on the path, which a file has: one for all items. */
  const renamed = new Map<string, FolderRecord>();

  async function walk({ folderId, path }: TrashPlace): Promise<FoundPath> {
    let folder = await requireFolder(tx, folderId);
    for (const [index, name] of path.entries()) {
      const next =
        renamed.get(placeId({ folderId: folder.id, path: [name] })) ??
        (await childOf(tx, folder, name));
      if (next === undefined) return { folder, missing: path.slice(index) };
      folder = next;
    }
    return { folder, missing: [] };
  }

  return {
    async lock(places, trashed) {
      const ids = new Set(trashed);
      for (const place of distinct(places)) ids.add((await walk(place)).folder.id);
      for (const chunk of chunks([...ids].sort())) {
        await tx.lockRows(
          tx.db.selectFrom("folders").select("id").where("id", "in", chunk).orderBy("id"),
        );
      }
    },
    async find(place) {
      const { folder, missing } = await walk(place);
      const [first, ...rest] = missing;
      if (first === undefined) return { folder, missing };
      const isTaken = (await takenBy(tx, folder.id, first)) !== undefined;
      // A file has the name.
      const name = isTaken ? await freeName(tx, folder, first, NONE) : first;
      return { folder, wanted: first, missing: [name, ...rest] };
    },
    async make({ folder: existing, wanted, missing }, isForObjects = false) {
      let folder = existing;
      const created: FolderRecord[] = [];
      for (const name of missing) {
        folder = newFolder(tx, folder, name);
        created.push(folder);
      }
      const [first] = created;
      if (wanted !== undefined && first !== undefined && wanted !== first.name) {
        renamed.set(placeId({ folderId: existing.id, path: [wanted] }), first);
      }
      const isImplicit = ({ key }: FolderRecord) => isForObjects && keyNames(key).length > 1;
      await insertFolders(
        tx,
        created.filter((each) => !isImplicit(each)),
      );
      await insertFolders(tx, created.filter(isImplicit), 1);
      changes.push(
        ...created.map((each): TreeChange => ({ kind: "folder.created", folder: each })),
      );
      return folder;
    },
  };
}

const NONE: ReadonlySet<Name> = new Set();

const childOf = (tx: Tx, { id }: FolderRecord, name: Name): Promise<FolderRecord | undefined> =>
  selectFolders(tx.db)
    .where("folders.parent_id", "=", id)
    .where("folders.name", "=", name)
    .executeTakeFirst();

async function requireFolder(tx: Tx, id: string): Promise<FolderRecord> {
  const folder = await selectFolders(tx.db).where("folders.id", "=", id).executeTakeFirst();
  if (folder === undefined) throw new Error("A folder has left the tree, which is locked.");
  return folder;
}

const distinct = (places: readonly TrashPlace[]): TrashPlace[] => [
  ...new Map(places.map((place) => [placeId(place), place])).values(),
];

/** Equal for equal places. */
export const placeId = ({ folderId, path }: TrashPlace): string => [folderId, ...path].join("/");
