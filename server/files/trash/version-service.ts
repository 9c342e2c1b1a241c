import type { FileTree } from "../../catalog/port/file-tree.ts";
import type { VersionPage, VersionQuery } from "../../catalog/port/versions.ts";
import { type Authorized, authorize } from "../../domain/callers/authorize.ts";
import type { SeenBy } from "../../domain/callers/caller.ts";
import { checkResult } from "../../domain/dry-run.ts";
import { type KeepSettings, keepMs, keepReplaced } from "../../domain/keep-time.ts";
import type { FileRecord } from "../../domain/records.ts";
import { findFile, noSuchVersion, type Selector } from "../find.ts";
import type { Reaper } from "../reaper.ts";
import { waitForRemoval } from "../remove.ts";
import type { TrashPort } from "./trash-port.ts";

/** The earlier contents of files, as their callers see them. */
export interface VersionService {
  /** Latest first. Fault "not_found". */
  list(
    caller: Authorized<"list">,
    file: Selector,
    page: Pick<VersionQuery, "after" | "limit">,
  ): Promise<VersionPage>;
  /** Its content as a private file, for delivery. Fault "not_found". */
  find(caller: Authorized<"read">, id: string): Promise<VersionFile>;
  /** Makes it the content of its file, whose content becomes a version. Fault "not_found". */
  restore(caller: Authorized<"write">, id: string): Promise<FileRecord>;
  /** Returns the ids of the deleted ones. Fault "not_found": none exists. */
  remove(caller: Authorized<"delete">, ids: readonly string[]): Promise<string[]>;
}

/** The content of a version, with the version's id. */
export interface VersionFile extends FileRecord {
  /** The file that it is a version of. */
  readonly fileId: string;
}

export interface VersionServiceDeps {
  readonly tree: FileTree;
  readonly trash: TrashPort;
  readonly reaper: Reaper;
  readonly settings: () => KeepSettings;
}

export function createVersionService(deps: VersionServiceDeps): VersionService {
  const { tree, trash, reaper, settings } = deps;

  async function find(caller: SeenBy, id: string): Promise<VersionFile> {
    const version = await trash.versionById(caller, id);
    const file = version && (await tree.fileById(caller, version.fileId));
    if (version === undefined || file === undefined) throw noSuchVersion();
    const { blobId, size, mimeType, checksum, sha256, metadata, s3, charset, modifiedAt } = version;
    const content = {
      blobId,
      size,
      mimeType,
      checksum,
      sha256,
      metadata,
      s3,
      charset,
      modifiedAt,
    };
    // Its own id, as the current content must never be sent in its place.
    return { ...file, ...content, id, fileId: file.id, visibility: "private" };
  }

  return {
    find,

    async list(caller, selector, page) {
      const { id } = await findFile(caller, tree, selector);
      return trash.listVersions(caller, { ...page, fileId: id });
    },

    async restore(caller, id) {
      if (keepReplaced(caller, settings()).replaceLimit === "nothing") {
        await authorize(caller, "delete", () => find(caller, id));
      }
      return trash.restoreVersion(caller, { id, keepMs: keepMs(settings()) });
    },

    async remove(caller, ids) {
      const change = trash.removeVersions(caller, [...new Set(ids)]);
      const deleted = await checkResult(change, ({ length }) => {
        if (length === 0) throw noSuchVersion();
      });
      await waitForRemoval(reaper);
      return deleted;
    },
  };
}
