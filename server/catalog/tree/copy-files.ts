import { withoutFound } from "../../../contract/text/charset.ts";
import type { Ref } from "../../domain/callers/ref.ts";
import { Fault } from "../../domain/faults/fault.ts";
import { mediaTypeAfterRename } from "../../domain/media.ts";
import { childKey } from "../../domain/names/name.ts";
import type { OnConflict } from "../../domain/names/on-conflict.ts";
import type { FileRecord, FolderRecord, Name } from "../../domain/records.ts";
import type { Tx } from "../engine/tx.ts";
import { recordChanges } from "../feed/record-changes.ts";
import { noDestination } from "../folders/folder-path.ts";
import type { CopyOutcome, FilesCopy } from "../port/copies.ts";
import { nameTaken } from "../records/taken-names.ts";
import { claimNames } from "../trash/claim-names.ts";
import { type CopiedBlobs, requireCopiedBlobs } from "./copied-blobs.ts";
import type { FileToStore } from "./file-to-store.ts";
import { lockSelected } from "./lock-selected.ts";
import { freeName } from "./resolve-conflicts.ts";
import { changesOf, type Destination, storeFiles } from "./store-files.ts";

export async function copyFiles(
  tx: Tx,
  input: FilesCopy,
): Promise<CopyOutcome<readonly FileRecord[]>> {
  const { ids, folderId, onConflict, keepReplacedMs, replaceLimit } = input;
  const blobs = await requireCopiedBlobs(tx, input.owner, input.blobs);
  const selection = { ids, folderId, noTarget: noDestination };
  const { files, missing: unknown, folders, target } = await lockSelected(tx, selection);
  requireAll(ids, unknown);
  const byFolder = Map.groupBy(files, (file) => target?.id ?? file.folderId);
  const missing = blobs.missing(files);
  const destinations: Destination[] = [];
  for (const [id, copied] of byFolder) {
    const folder = folders.get(id);
    if (folder === undefined) throw new Error("The folder of a file was not locked.");
    if (onConflict === "replace") rejectSelf(copied, folder, input.name);
    if (missing.length > 0) {
      await rejectTaken(tx, folder, copied, input);
      continue;
    }
    const { lifetime = "never" } = input;
    const copies = copied.map((file) => ({
      ...copyOf(blobs, file, input.name),
      lifetime,
      replacedLifetime: input.lifetime,
    }));
    const distinct = await withDistinctNames(tx, folder, copies, onConflict);
    destinations.push({ folder, namesAreFree: false, files: distinct });
  }
  if (missing.length > 0) return { missing };
  const stored = await storeFiles(tx, destinations, {
    onConflict,
    keepReplacedMs,
    replaceLimit,
  });
  await blobs.condemnUnused(stored);
  await recordChanges(tx, changesOf([], stored));
  return { copied: inOrder(blobs, files, [...stored.added, ...stored.replaced]) };
}

function requireAll(refs: readonly Ref[], [missing]: readonly Ref[]): void {
  if (missing === undefined) return;
  const name = typeof missing === "string" ? missing : missing.key;
  throw new Fault("not_found", refs.length === 1 ? "No such file." : `No such file: ${name}.`);
}

function rejectSelf(files: readonly FileRecord[], folder: FolderRecord, name?: Name): void {
  const same = files.find(
    (file) => file.folderId === folder.id && file.name === (name ?? file.name),
  );
  if (same === undefined) return;
  throw new Fault(
    "conflict",
    `"${same.name}" cannot replace itself. Give another folder or name, or \`onConflict: "keepBoth"\`.`,
    { code: "name_taken", details: { name: same.name } },
  );
}

/** So that no bytes are copied in vain. */
async function rejectTaken(
  tx: Tx,
  folder: FolderRecord,
  files: readonly FileRecord[],
  { name: newName, onConflict }: FilesCopy,
): Promise<void> {
  const names = files.map(({ name }) => newName ?? name);
  for (const name of names) childKey(folder.key, name);
  if (onConflict !== "refuse") return;
  for (const [name, holder] of await claimNames(tx, folder.id, names))
    throw nameTaken(holder, name);
}

function copyOf(blobs: CopiedBlobs, file: FileRecord, name: Name | undefined): FileToStore {
  const copy = blobs.copyOf(file, name);
  const mimeType = mediaTypeAfterRename(file.name, copy.name, file.mimeType);
  const charset = mimeType === file.mimeType ? file.charset : withoutFound(file.charset);
  return { ...copy, mimeType, charset };
}

/** Files from several folders may have the same name: the first one gets it. */
async function withDistinctNames(
  tx: Tx,
  folder: FolderRecord,
  files: readonly FileToStore[],
  onConflict: OnConflict,
): Promise<readonly FileToStore[]> {
  if (onConflict !== "keepBoth" && onConflict !== "skip") return files;
  const used = new Set(files.map(({ name }) => name));
  if (used.size === files.length) return files;
  const seen = new Set<Name>();
  const distinct: FileToStore[] = [];
  for (const file of files) {
    if (!seen.has(file.name)) distinct.push(file);
    else if (onConflict === "keepBoth") {
      const name = await freeName(tx, folder, file.name, used);
      used.add(name);
      distinct.push({ ...file, name });
    }
    seen.add(file.name);
  }
  return distinct;
}

/** The copies in the order of their sources. */
function inOrder(
  blobs: CopiedBlobs,
  sources: readonly FileRecord[],
  copies: readonly FileRecord[],
): FileRecord[] {
  const byBlob = new Map(copies.map((file) => [file.blobId, file]));
  return sources.flatMap((file) => byBlob.get(blobs.copyOf(file).blobId) ?? []);
}
