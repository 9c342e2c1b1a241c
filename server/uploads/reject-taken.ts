import type { FileTree } from "../catalog/port/file-tree.ts";
import type { Name } from "../rules/records.ts";
import type { Scope } from "../rules/scope.ts";
import type { UploadRecord } from "../rules/uploads.ts";
import { nameTaken } from "./upload-faults.ts";

/** Fault "unprocessable": the name is taken, and the upload refuses such names. */
export async function rejectTaken(
  tree: Pick<FileTree, "takenName">,
  { folder, batchId, onConflict }: Pick<UploadRecord, "folder" | "batchId" | "onConflict">,
  name: Name,
  { folderIds }: Pick<Scope, "folderIds">,
): Promise<void> {
  if (batchId !== null || onConflict !== "refuse") return;
  const taken = await tree.takenName(folder, [name], folderIds.length > 0 ? folderIds : undefined);
  if (taken !== undefined) throw nameTaken(taken);
}
