import type { ErrorCode } from "../../contract/text/error-codes.ts";
import type { FileTree } from "../catalog/port/file-tree.ts";
import type { TrashChanges } from "../catalog/port/trash.ts";
import type { ChangedBy } from "../domain/callers/caller.ts";
import { type Ref, textOf, uniqueRefs } from "../domain/callers/ref.ts";
import { checkResult } from "../domain/dry-run.ts";
import type { Fault } from "../domain/faults/fault.ts";
import type { FileRecord, Key } from "../domain/records.ts";
import { noSuchFile } from "./find.ts";
import type { Reaper } from "./reaper.ts";
import { waitBriefly } from "./wait-briefly.ts";

/** What a request names and was not done, by the id or the key that it gives. */
export type NotDone = { readonly message: string } & (
  | { readonly id: string }
  | { readonly key: Key; readonly code: ErrorCode }
);

/** Nothing has the id or the key. */
export const notDone = (ref: Ref, { code, message }: Pick<Fault, "code" | "message">): NotDone =>
  typeof ref === "string" ? { id: ref, message } : { key: ref.key, code, message };

export interface Removal {
  readonly deleted: readonly Pick<FileRecord, "id" | "key">[];
  readonly failed: NotDone[];
  /** The id of the deletion, if the files are in the trash. */
  readonly undoId?: string;
}

/**
 * Deletes files, records first. Repeated ids count once; ids without a file are in `failed`. Missing
 * blobs are not an error. Fault "not_found": none of the files exists.
 */
export async function removeFiles(
  caller: ChangedBy,
  names: Pick<FileTree, "removeFiles">,
  reaper: Reaper,
  refs: readonly Ref[],
): Promise<Removal> {
  const unique = uniqueRefs(refs);
  const removed = await checkResult(names.removeFiles(caller, unique), ({ length }) => {
    if (length === 0) throw noSuchFile();
  });
  await waitBriefly(reaper.remove(removed.map((file) => file.blobId)));
  return removalOf(unique, removed);
}

/** Moves files to the trash for `keepMs` milliseconds. Otherwise as `removeFiles`. */
export async function trashFiles(
  caller: ChangedBy,
  trash: Pick<TrashChanges, "trashFiles">,
  refs: readonly Ref[],
  keepMs: number,
): Promise<Removal> {
  const unique = uniqueRefs(refs);
  const change = trash.trashFiles(caller, { ids: unique, keepMs });
  const { undoId, files } = await checkResult(change, (trashed) => {
    if (trashed.undoId === undefined) throw noSuchFile();
  });
  return { ...removalOf(unique, files), ...(undoId === undefined ? {} : { undoId }) };
}

function removalOf(wanted: readonly Ref[], deleted: Removal["deleted"]): Removal {
  const done = new Set(deleted.flatMap(({ id, key }) => [textOf(id), textOf({ key })]));
  const failed = wanted
    .filter((ref) => !done.has(textOf(ref)))
    .map((ref) => notDone(ref, noSuchFile()));
  return { deleted, failed };
}

/** Deletes a folder with all its content. Faults "not_found"; "invalid": the root. */
export async function removeFolder(
  caller: ChangedBy,
  names: Pick<FileTree, "removeFolder">,
  reaper: Reaper,
  ref: Ref,
): Promise<string> {
  const { id } = await names.removeFolder(caller, ref);
  await waitForRemoval(reaper);
  return id;
}

/** A response waits this long for the removal of the blobs; the rest is removed afterwards. */
const MAX_WAIT_MS = 30;

/** Starts to remove what was deleted, and resolves when a response may be sent. */
export async function waitForRemoval(reaper: Reaper): Promise<void> {
  await waitBriefly(reaper.drain(), MAX_WAIT_MS);
}
