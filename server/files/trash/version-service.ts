import type { FileTree } from "../../catalog/port/file-tree.ts";
import type { VersionPage, VersionQuery } from "../../catalog/port/versions.ts";
import { Fault } from "../../domain/fault.ts";
import type { FileRecord } from "../../domain/records.ts";
import { findFile, type Selector } from "../find.ts";
import type { Reaper } from "../reaper.ts";
import { waitForRemoval } from "../remove.ts";
import type { TrashPort } from "./trash-port.ts";

/** The earlier contents of files. Those of files outside the caller's scope are missing. */
export interface VersionService {
  /** Latest first. Fault "not_found". */
  list(file: Selector, page: Pick<VersionQuery, "after" | "limit">): Promise<VersionPage>;
  /** Its content as a private file, for delivery. Fault "not_found". */
  find(id: string): Promise<FileRecord>;
  /** Makes it the content of its file, whose content becomes a version. Fault "not_found". */
  restore(id: string): Promise<FileRecord>;
  /** Returns the ids of the deleted ones. Fault "not_found": none exists. */
  remove(ids: readonly string[]): Promise<string[]>;
}

export interface VersionServiceDeps {
  readonly tree: FileTree;
  readonly trash: TrashPort;
  readonly reaper: Reaper;
  /** How long replaced content is kept, in milliseconds. */
  readonly keepMs: () => number;
}

export function createVersionService(deps: VersionServiceDeps): VersionService {
  const { tree, trash, reaper, keepMs } = deps;

  return {
    async list(selector, page) {
      const { id } = await findFile(tree, selector);
      return trash.listVersions({ ...page, fileId: id });
    },

    async find(id) {
      const version = await trash.versionById(id);
      const file = version && (await tree.fileById(version.fileId));
      if (version === undefined || file === undefined) throw noSuchVersion();
      const { blobId, size, mimeType, checksum, sha256, metadata, s3, charset, modifiedAt } =
        version;
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
      return { ...file, ...content, id, visibility: "private" };
    },

    restore: (id) => trash.restoreVersion({ id, keepMs: keepMs() }),

    async remove(ids) {
      const deleted = await trash.removeVersions([...new Set(ids)]);
      if (deleted.length === 0) throw noSuchVersion();
      await waitForRemoval(reaper);
      return deleted;
    },
  };
}

const noSuchVersion = (): Fault => new Fault("not_found", "Version not found.");
