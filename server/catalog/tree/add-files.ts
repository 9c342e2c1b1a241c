import type { FileRecord } from "../../domain/records.ts";
import { requireLeases } from "../blobs/require-leases.ts";
import type { Tx } from "../engine/tx.ts";
import { recordChanges } from "../feed/record-changes.ts";
import { ensureFolder } from "../folders/folder-path.ts";
import type { NewFiles } from "../port/file-tree.ts";
import { visibilityIn } from "./default-visibility.ts";
import { changesOf, storeFiles } from "./store-files.ts";

export async function addFiles(tx: Tx, input: NewFiles): Promise<FileRecord[]> {
  const {
    visibility: replacedVisibility,
    defaultVisibility,
    metadata,
    owner,
    onConflict = "refuse",
    keepReplacedMs,
  } = input;
  await requireLeases(
    tx,
    owner,
    input.files.map(({ blobId }) => blobId),
  );
  const { folder, created } = await ensureFolder(tx, input.folder);
  const visibility = replacedVisibility ?? visibilityIn(folder, defaultVisibility);
  const files = input.files.map((file) => ({ ...file, visibility, replacedVisibility, metadata }));
  const namesAreFree = created.length > 0;
  const stored = await storeFiles(tx, [{ folder, namesAreFree, files }], {
    onConflict,
    keepReplacedMs,
  });
  await recordChanges(tx, changesOf(created, stored));
  if (stored.replaced.length === 0) return stored.added;
  const byBlob = new Map([...stored.added, ...stored.replaced].map((file) => [file.blobId, file]));
  return files.flatMap(({ blobId }) => byBlob.get(blobId) ?? []);
}
