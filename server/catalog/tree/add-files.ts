import { requestRunning } from "../../domain/faults/fault.ts";
import type { FileRecord, FolderRecord, Name, NewFile } from "../../domain/records.ts";
import { type ChangeConditions, requireConditions } from "../../semantics/change-conditions.ts";
import { requireLeases } from "../blobs/require-leases.ts";
import { type Param, prepared } from "../engine/prepared-statement.ts";
import type { Tx } from "../engine/tx.ts";
import { recordChanges } from "../feed/record-changes.ts";
import { lockFilesNamed } from "../folders/file-locks.ts";
import { ensureFolder } from "../folders/folder-path.ts";
import type { NewFiles } from "../port/file-tree.ts";
import { isLasting } from "../records/outside-tree.ts";
import { lockRequest, rememberRequest } from "../uploads/remembered-request.ts";
import { visibilityIn } from "./folder-defaults.ts";
import { changesOf, storeFiles } from "./store-files.ts";

async function requireConditionsOf(
  tx: Tx,
  { id: folderId }: FolderRecord,
  files: readonly Pick<NewFile, "name">[],
  conditions: ChangeConditions,
): Promise<void> {
  await lockFilesNamed(tx, [{ folderId, names: files.map(({ name }) => name) }]);
  for (const { name } of files) {
    requireConditions(await tx.first(selectValidators, { folderId, name }), conditions);
  }
}

const selectValidators = prepared((db, param: Param<{ folderId: string; name: Name }>) =>
  db
    .selectFrom("files")
    .select(["size", "modified_at as modifiedAt"])
    .where(isLasting)
    .where("folder_id", "=", param("folderId"))
    .where("name", "=", param("name")),
);

export async function addFiles(tx: Tx, input: NewFiles): Promise<FileRecord[]> {
  const {
    visibility: replacedVisibility,
    defaultVisibility,
    lifetime,
    metadata,
    owner,
    onConflict = "refuse",
    keepReplacedMs,
    replaceLimit,
    conditions,
    remember,
  } = input;
  if (remember !== undefined && !(await lockRequest(tx, remember))) throw requestRunning();
  await requireLeases(
    tx,
    owner,
    input.files.map(({ blobId }) => blobId),
  );
  const { folder, created } = await ensureFolder(tx, input.folder);
  const visibility = replacedVisibility ?? visibilityIn(folder, defaultVisibility);
  const files = input.files.map((file) => ({
    ...file,
    visibility,
    replacedVisibility,
    lifetime,
    replacedLifetime: lifetime,
    metadata,
  }));
  const namesAreFree = created.length > 0;
  if (conditions !== undefined) await requireConditionsOf(tx, folder, input.files, conditions);
  const stored = await storeFiles(tx, [{ folder, namesAreFree, files }], {
    onConflict,
    keepReplacedMs,
    replaceLimit,
  });
  await recordChanges(tx, changesOf(created, stored));
  const [file] = [...stored.added, ...stored.replaced];
  if (remember !== undefined && file !== undefined) await rememberRequest(tx, remember, file);
  if (stored.replaced.length === 0) return stored.added;
  const byBlob = new Map([...stored.added, ...stored.replaced].map((file) => [file.blobId, file]));
  return files.flatMap(({ blobId }) => byBlob.get(blobId) ?? []);
}
