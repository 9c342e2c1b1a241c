import type {
  BlobCopy,
  CopiedFolder,
  CopyOutcome,
  FilesCopy,
  FolderCopy,
  TreeCopies,
} from "../../catalog/port/copies.ts";
import type { FileTree } from "../../catalog/port/file-tree.ts";
import type { KeepsReplaced } from "../../catalog/port/keeps-replaced.ts";
import type { Authorized } from "../../domain/callers/authorize.ts";
import type { Caller } from "../../domain/callers/caller.ts";
import { type Ref, uniqueRefs } from "../../domain/callers/ref.ts";
import { type KeepSettings, keepReplaced } from "../../domain/keep-time.ts";
import type { OnConflict } from "../../domain/names/on-conflict.ts";
import type { FileRecord } from "../../domain/records.ts";
import type { QuotaGuard } from "../quotas/quota-guard.ts";
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
    caller: Authorized<"read" | "write">,
    request: FilesToCopy,
    control?: CopyControl,
  ): Promise<readonly FileRecord[]>;
  folder(
    caller: Authorized<"list" | "read" | "write">,
    request: FolderToCopy,
    control?: CopyControl,
  ): Promise<CopiedFolder>;
}

export interface CopyDeps extends CopyBlobsDeps {
  readonly quotaGuard: QuotaGuard;
  readonly settings: () => KeepSettings;
  /** Called when blobs may have been condemned. */
  readonly onReplaced: () => void;
}

export function createCopyService(
  deps: CopyDeps,
  tree: TreeCopies & Pick<FileTree, "folderById" | "folderByKey">,
): CopyService {
  const { settings, storage, onReplaced } = deps;
  const keep = (caller: Caller) => ({
    ...keepReplaced(caller, settings()),
    owner: storage.blobIds.owner,
  });

  /** `commit`, which refuses copies that do not fit into the folder's quota before their bytes are copied. */
  function admitted<T>(
    caller: Caller,
    to: Ref | undefined,
    onConflict: OnConflict,
    commit: (copies: readonly BlobCopy[]) => Promise<CopyOutcome<T>>,
  ): typeof commit {
    // Copies next to their sources are checked at the end, and so is what is replaced.
    if (to === undefined || onConflict === "replace") return commit;
    return async (copies) => {
      const outcome = await commit(copies);
      if ("copied" in outcome) return outcome;
      const folder =
        typeof to === "string"
          ? (await tree.folderById(caller, to))?.key
          : (await tree.folderByKey(caller, to.key))?.key;
      const bytes = outcome.missing.reduce((sum, { size }) => sum + size, 0);
      if (folder !== undefined) {
        await deps.quotaGuard.admit({ folder, bytes, files: outcome.missing.length });
      }
      return outcome;
    };
  }

  return {
    async files(caller, request, control) {
      const ids = uniqueRefs(request.ids);
      const folder = request.folderId;
      const commit = admitted(caller, folder, request.onConflict, (blobs: FilesCopy["blobs"]) =>
        tree.copyFiles(caller, { ...request, ids, blobs, ...keep(caller) }),
      );
      const copied = await copyBlobs(deps, commit, control);
      onReplaced();
      return copied;
    },

    async folder(caller, request, control) {
      const folder = request.parentId;
      const commit = admitted(caller, folder, request.onConflict, (blobs: FolderCopy["blobs"]) =>
        tree.copyFolder(caller, { ...request, blobs, ...keep(caller) }),
      );
      const copied = await copyBlobs(deps, commit, control);
      onReplaced();
      return copied;
    },
  };
}
