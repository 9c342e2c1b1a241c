import { keyNames } from "../../domain/names/name.ts";
import type { FolderRecord, Name } from "../../domain/records.ts";
import type { TreeChange } from "../../domain/tree-change.ts";
import { chunks } from "../engine/chunks.ts";
import type { Tx } from "../engine/tx.ts";
import { insertFolders, newFolder } from "../folders/insert-folders.ts";
import { selectFolders } from "../records/select-records.ts";
import { freeFolderName } from "../tree/resolve-conflicts.ts";
import { rememberStandIns, type StandIn } from "./trash-folders.ts";
import type { GoneFolder, TrashPlace } from "./trash-places.ts";

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
  /** The folders to be made below it. The first one has a free name. */
  readonly missing: readonly GoneFolder[];
}

export function createRestorePaths(tx: Tx, changes: TreeChange[]): RestorePaths {
  async function walk({ folderId, path }: TrashPlace): Promise<FoundPath> {
    let folder = await requireFolder(tx, folderId);
    for (const [index, { name }] of path.entries()) {
      const next = await childOf(tx, folder, name);
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
      // A file may have the name.
      const name = await freeFolderName(tx, folder, first.name);
      return { folder, missing: [{ id: first.id, name }, ...rest] };
    },
    async make({ folder: existing, missing }, isForObjects = false) {
      let folder = existing;
      const created: FolderRecord[] = [];
      const standIns: StandIn[] = [];
      for (const { id, name } of missing) {
        folder = newFolder(tx, folder, name);
        created.push(folder);
        standIns.push({ id, name, standInId: folder.id });
      }
      const isImplicit = ({ key }: FolderRecord) => isForObjects && keyNames(key).length > 1;
      await insertFolders(
        tx,
        created.filter((each) => !isImplicit(each)),
      );
      await insertFolders(tx, created.filter(isImplicit), 1);
      await rememberStandIns(tx, standIns);
      changes.push(
        ...created.map((each): TreeChange => ({ kind: "folder.created", folder: each })),
      );
      return folder;
    },
  };
}

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

/** Equal for places that are the same now. */
const placeId = ({ folderId, path }: TrashPlace): string =>
  [folderId, ...path.map(({ name }) => name)].join("/");
