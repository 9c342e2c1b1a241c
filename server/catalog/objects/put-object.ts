import { Fault } from "../../domain/faults/fault.ts";
import { keyNames, ROOT_KEY } from "../../domain/names/name.ts";
import type { FileRecord, FolderRecord, Name, Visibility } from "../../domain/records.ts";
import { FOLDER_ETAG, objectEtag } from "../../semantics/s3/object-etag.ts";
import { requireLeases } from "../blobs/require-leases.ts";
import { type Param, prepared } from "../engine/prepared-statement.ts";
import type { Tx } from "../engine/tx.ts";
import { recordChanges } from "../feed/record-changes.ts";
import { ensureFolder, noSuchFolder } from "../folders/folder-path.ts";
import type { ExpectedObject, NewObject, ObjectChanges } from "../port/objects.ts";
import { foldersByKey } from "../records/object-folders.ts";
import { isLasting } from "../records/outside-tree.ts";
import { visibilityIn } from "../tree/folder-defaults.ts";
import { changesOf, storeFiles } from "../tree/store-files.ts";

export async function putObject(tx: Tx, input: NewObject): Promise<FileRecord> {
  await requireLeases(tx, input.owner, [input.file.blobId]);
  return storeObject(tx, input);
}

/** Does the same for a blob that is known. */
export async function storeObject(
  tx: Tx,
  {
    folder: key,
    file,
    visibility,
    metadata,
    expect,
    keepReplacedMs,
    replaceLimit,
  }: Omit<NewObject, "owner">,
): Promise<FileRecord> {
  if (key === ROOT_KEY) throw noSuchFolder();
  const { folder, created } = await ensureFolder(tx, key, "object");
  await requireExpected(tx, { folderId: folder.id, name: file.name }, expect);
  const toStore = {
    ...file,
    ...visibilities(folder, visibility),
    lifetime: undefined,
    replacedLifetime: undefined,
    metadata,
  };
  const destination = { folder, namesAreFree: created.length > 0, files: [toStore] };
  const stored = await storeFiles(tx, [destination], {
    onConflict: "replace",
    keepReplacedMs,
    replaceLimit,
  });
  await recordChanges(tx, changesOf(created, stored));
  const [record] = [...stored.added, ...stored.replaced];
  if (record === undefined) throw new Error("An object was not stored.");
  return record;
}

/** Without one, a public file stays public only where new files are. */
function visibilities(folder: FolderRecord, named: Visibility | null) {
  if (named !== null) return { visibility: named, replacedVisibility: named };
  const visibility = visibilityIn(folder, "private");
  return { visibility, replacedVisibility: visibility === "private" ? visibility : undefined };
}

export async function putFolderObject(
  tx: Tx,
  { key, expect }: Parameters<ObjectChanges["putFolderObject"]>[1],
): Promise<FolderRecord> {
  if (keyNames(key).length < 2) throw new Fault("invalid", "A bucket is not an object.");
  const { folder, created } = await ensureFolder(tx, key, "object");
  if (expect !== undefined) {
    const [found] = created.length > 0 ? [] : await foldersByKey(tx, [key]);
    checkExpected(found?.implicit === 0 ? FOLDER_ETAG : undefined, expect);
  }
  await tx.all(setImplicit, { id: folder.id, implicit: 0 });
  await recordChanges(
    tx,
    created.map((each) => ({ kind: "folder.created", folder: each })),
  );
  return folder;
}

export const setImplicit = prepared((db, param: Param<{ id: string; implicit: 0 | 1 }>) =>
  db
    .updateTable("folders")
    .set({ implicit: param("implicit") })
    .where("id", "=", param("id")),
);

/**
 * Faults: "not_found": an object must be there, but is not; "precondition_failed": there is one, or it
 * has another ETag. The folder must be locked.
 */
async function requireExpected(
  tx: Tx,
  { folderId, name }: { readonly folderId: string; readonly name: Name },
  expect: ExpectedObject | undefined,
): Promise<void> {
  if (expect === undefined) return;
  const object = await tx.first(selectContent, { folderId, name });
  checkExpected(object && objectEtag(object), expect);
}

/** The same for the ETag of an object that was read; undefined: there is none. */
function checkExpected(etag: string | undefined, expect: ExpectedObject): void {
  if (expect === "absent") {
    if (etag !== undefined) throw notMet("There is an object with this key already.");
  } else if (etag === undefined) throw new Fault("not_found", "There is no object with this key.");
  else if (expect !== "present" && etag !== expect.etag) {
    throw notMet("The object has another ETag.");
  }
}

const notMet = (message: string): Fault => new Fault("precondition_failed", message);

const selectContent = prepared((db, param: Param<{ folderId: string; name: Name }>) =>
  db
    .selectFrom("files")
    .select(["blob_id as blobId", "s3"])
    .where(isLasting)
    .where("folder_id", "=", param("folderId"))
    .where("name", "=", param("name")),
);
