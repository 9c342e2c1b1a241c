import { EVERYTHING } from "../../domain/callers/caller.ts";
import { ROOT_KEY, splitKey } from "../../domain/names/name.ts";
import type { FileRecord, Key, Millis, Name } from "../../domain/records.ts";
import { wholeSeconds } from "../../semantics/etag.ts";
import { FOLDER_ETAG, objectEtag } from "../../semantics/s3/object-etag.ts";
import { paddedChunks } from "../engine/chunks.ts";
import { preparedForItems } from "../engine/prepared-statement.ts";
import type { Tx } from "../engine/tx.ts";
import type { ObjectRemoval, ObjectToRemove, RemovalCondition } from "../port/objects.ts";
import { foldersByKey, keysWithin, type ObjectFolder } from "../records/object-folders.ts";
import { isLasting } from "../records/outside-tree.ts";

type RemovedFile = Pick<
  FileRecord,
  "id" | "folderId" | "name" | "key" | "size" | "blobId" | "s3" | "modifiedAt"
>;

interface FoundObject {
  readonly object: ObjectToRemove;
  readonly file?: RemovedFile | undefined;
  readonly folder?: ObjectFolder | undefined;
}

/** What a removal of objects is about, as it is now. */
export interface FoundRemoval {
  /** In the order given; of something absent, neither the file nor the folder. */
  readonly objects: readonly FoundObject[];
  /** The positions in the removal of those that are not as expected. `objects` has only the others. */
  readonly refused: readonly number[];
  /** The folders of the objects and all that contain them, but the root, by key. */
  readonly folders: ReadonlyMap<Key, ObjectFolder>;
  /** The ids of those that the caller may remove. */
  readonly removable: ReadonlySet<string>;
}

/** Objects that the caller does not see are absent. */
export async function findRemoval(tx: Tx, { objects }: ObjectRemoval): Promise<FoundRemoval> {
  const places = objects.map((object) => ({ object, folder: folderOf(object) }));
  const folders = new Map<Key, ObjectFolder>();
  for (const found of await foldersByKey(tx, withAncestors(places.map(({ folder }) => folder)))) {
    folders.set(found.folder.key, found);
  }
  const ids = [...folders.values()].map(({ folder }) => folder.id);
  const { within } = tx;
  const inside = within === EVERYTHING ? undefined : await keysWithin(tx, ids, within);
  const visible = (key: Key): ObjectFolder | undefined => {
    const found = folders.get(key);
    return inside === undefined || inside.has(found?.folder.id ?? "") ? found : undefined;
  };
  const files = await findFiles(tx, places, visible);
  const found = places.map(({ object, folder: key }): FoundObject => {
    if (!object.isFolder) return { object, file: files.get(object.key) };
    const folder = visible(key);
    return { object, folder: folder?.implicit === 0 ? folder : undefined };
  });
  return {
    objects: found.filter(isAsExpected),
    refused: found.flatMap((each, position) => (isAsExpected(each) ? [] : [position])),
    folders,
    removable: new Set(
      [...folders.values()]
        .filter(({ folder }) => inside === undefined || inside.has(folder.parentId ?? ""))
        .map(({ folder }) => folder.id),
    ),
  };
}

function isAsExpected({ object: { expect }, file, folder }: FoundObject): boolean {
  if (expect === undefined) return true;
  if (file !== undefined) {
    return meets(expect, { etag: objectEtag(file), size: file.size, modifiedAt: file.modifiedAt });
  }
  if (folder === undefined) return true;
  return meets(expect, { etag: FOLDER_ETAG, size: 0, modifiedAt: folder.folder.updatedAt });
}

const meets = (
  { etag, size, modifiedAt }: RemovalCondition,
  actual: { readonly etag: string; readonly size: number; readonly modifiedAt: Millis },
): boolean =>
  (etag === undefined || etag === actual.etag) &&
  (size === undefined || size === actual.size) &&
  (modifiedAt === undefined || modifiedAt === wholeSeconds(actual.modifiedAt));

/** The folder that contains a file, or that is the object. */
function folderOf({ key, isFolder }: ObjectToRemove): Key {
  return isFolder ? key : (splitKey(key)?.folder ?? ROOT_KEY);
}

function withAncestors(keys: readonly Key[]): Key[] {
  const all = new Set<Key>();
  for (const key of keys) {
    for (let each = key; each !== ROOT_KEY && !all.has(each); ) {
      all.add(each);
      each = splitKey(each)?.folder ?? ROOT_KEY;
    }
  }
  return [...all];
}

async function findFiles(
  tx: Tx,
  places: readonly { readonly object: ObjectToRemove; readonly folder: Key }[],
  visible: (key: Key) => ObjectFolder | undefined,
): Promise<Map<Key, RemovedFile>> {
  const files = new Map<Key, RemovedFile>();
  const wanted = places.filter(({ object }) => !object.isFolder);
  for (const [key, inFolder] of Map.groupBy(wanted, ({ folder }) => folder)) {
    const folder = visible(key);
    if (folder === undefined) continue;
    const names = inFolder.flatMap(({ object }) => splitKey(object.key)?.name ?? []);
    for (const chunk of paddedChunks(names)) {
      const items = chunk.map((name) => ({ name }));
      const shared = { folderId: folder.folder.id };
      for (const file of await tx.all(selectNamed(items.length), { items, shared })) {
        const fileKey = `${key}/${file.name}` as Key;
        files.set(fileKey, { ...file, key: fileKey });
      }
    }
  }
  return files;
}

const selectNamed = preparedForItems<
  { name: Name },
  { folderId: string },
  Omit<RemovedFile, "key">
>((db, items, param) =>
  db
    .selectFrom("files")
    .select(["id", "folder_id as folderId", "name", "size", "blob_id as blobId", "s3"])
    .select("modified_at as modifiedAt")
    .where(isLasting)
    .where("folder_id", "=", param("folderId"))
    .where(
      "name",
      "in",
      items.map((item) => item("name")),
    ),
);
