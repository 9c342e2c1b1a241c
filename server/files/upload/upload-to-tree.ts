import type { FileTree } from "../../catalog/port/file-tree.ts";
import { type Authorized, noSuchFolder, topKeyOf } from "../../domain/callers/authorize.ts";
import type { Caller } from "../../domain/callers/caller.ts";
import type { FileRecord } from "../../domain/records.ts";
import { createTreeLookups } from "../lookups.ts";
import type { QuotaGuard } from "../quotas/quota-guard.ts";
import {
  createBeginUpload,
  type UploadDeps,
  type UploadDestination,
  type UploadSession,
} from "./begin-upload.ts";

/** Begins an upload of a caller to the tree. `expectedBytes`: as for `BeginUpload`. */
export type BeginUploadToTree = (
  caller: Authorized<"write">,
  expectedBytes: number,
) => Promise<UploadSession>;

export interface UploadToTreeDeps extends UploadDeps {
  readonly catalog: FileTree;
  readonly quotaGuard: QuotaGuard;
}

/** An upper bound for the bytes of a form that are no content of files. */
const FORM_BYTES = 256 * 1024;

export function createUploadToTree(deps: UploadToTreeDeps): BeginUploadToTree {
  const { catalog, quotaGuard } = deps;
  const look = createTreeLookups(catalog);
  const begin = createBeginUpload(deps);
  return async (caller, expectedBytes) => {
    const upload = await begin(treeFor(caller, catalog), expectedBytes);
    return {
      ...upload,
      async expectTarget(target) {
        await look.destination(caller, target.folder);
        await upload.expectTarget(target);
        // Without knowing the replaced files, the quota cannot be checked before the end of the form.
        const { folder, onConflict, replaces } = target;
        const isKnown = onConflict !== "replace" || replaces !== undefined;
        if (isKnown && expectedBytes > FORM_BYTES) {
          const bytes = expectedBytes - FORM_BYTES;
          await quotaGuard.admit({ folder, bytes, replaces });
        }
      },
    };
  };
}

/** The tree, to which a caller uploads. */
const treeFor = (caller: Caller, tree: FileTree): UploadDestination<FileRecord> => ({
  caller,
  topFolder: async () => {
    const top = await topKeyOf(caller, tree);
    if (top === undefined) throw noSuchFolder();
    return top;
  },
  takenName: (folder, names) => tree.takenName(caller, folder, names),
  addFiles: (files) => tree.addFiles(caller, files),
});
