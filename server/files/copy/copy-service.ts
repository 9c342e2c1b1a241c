import type { CopiedFolder, FilesCopy, FolderCopy, TreeCopies } from "../../catalog/port/copies.ts";
import type { KeepsReplaced } from "../../catalog/port/keeps-replaced.ts";
import type { Caller } from "../../domain/caller.ts";
import { type KeepSettings, keepReplaced } from "../../domain/keep-time.ts";
import type { FileRecord } from "../../domain/records.ts";
import { uniqueRefs } from "../../domain/ref.ts";
import { type CopyBlobsDeps, type CopyControl, copyBlobs } from "./copy-blobs.ts";

type Request<Input> = Omit<Input, "blobs" | "owner" | keyof KeepsReplaced>;
export type FilesToCopy = Request<FilesCopy>;
export type FolderToCopy = Request<FolderCopy>;

/**
 * Copies files and folders: all at once or nothing. Faults: same as `TreeCopies` and `copyBlobs`.
 */
export interface CopyService {
  /** Without the skipped files. */
  files(
    caller: Caller,
    request: FilesToCopy,
    control?: CopyControl,
  ): Promise<readonly FileRecord[]>;
  folder(caller: Caller, request: FolderToCopy, control?: CopyControl): Promise<CopiedFolder>;
}

export interface CopyDeps extends CopyBlobsDeps {
  readonly settings: () => KeepSettings;
  /** Called when blobs may have been condemned. */
  readonly onReplaced: () => void;
}

export function createCopyService(deps: CopyDeps, tree: TreeCopies): CopyService {
  const { settings, blobIds, onReplaced } = deps;
  const keep = (caller: Caller) => ({
    ...keepReplaced(caller, settings()),
    owner: blobIds.owner,
  });

  return {
    async files(caller, request, control) {
      const ids = uniqueRefs(request.ids);
      const commit = (blobs: FilesCopy["blobs"]) =>
        tree.copyFiles(caller, { ...request, ids, blobs, ...keep(caller) });
      const copied = await copyBlobs(deps, commit, control);
      onReplaced();
      return copied;
    },

    async folder(caller, request, control) {
      const commit = (blobs: FolderCopy["blobs"]) =>
        tree.copyFolder(caller, { ...request, blobs, ...keep(caller) });
      const copied = await copyBlobs(deps, commit, control);
      onReplaced();
      return copied;
    },
  };
}
