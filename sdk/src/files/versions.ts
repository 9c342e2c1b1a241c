import type { FileObject, FileVersion } from "../../../contract/api.ts";
import { call, type Data, pathOf, sends } from "../connection/call.ts";
import { eachItem } from "../connection/each-page.ts";
import { flag } from "../connection/flag.ts";
import type { CallOptions } from "../connection/options.ts";
import { queryOf, type Transport } from "../connection/transport.ts";
import { type Download, type DownloadOptions, downloadFrom } from "./download.ts";
import { type FileSelector, fileQuery } from "./file-selector.ts";

/** `versions` has the latest first. */
export type VersionPage = Data<"listVersions">;

export interface VersionsOptions extends CallOptions {
  readonly limit?: number | undefined;
  /** The `nextCursor` of the previous page. Default: the first page. */
  readonly cursor?: string | undefined;
}

/** Earlier contents of files. Every method throws a `HoldallError` if the request fails. */
export interface Versions {
  /**
   * One page of the versions of a file, latest first. `file` is an id or has one or a key. Default limit:
   * 50. 404: the file does not exist.
   */
  versions(file: FileSelector, options?: VersionsOptions): Promise<VersionPage>;
  /** All versions of a file, requested in pages of `limit`. */
  eachVersion(file: FileSelector, options?: VersionsOptions): AsyncGenerator<FileVersion, void>;
  /** 404: the version does not exist. */
  downloadVersion(versionId: string, options?: DownloadOptions): Promise<Download>;
  /** The absolute URL of a version's content, for a signed-in browser. */
  versionUrl(versionId: string, options?: { readonly download?: boolean | undefined }): string;
  /** Makes a version the content of its file; the current content becomes a version. */
  restoreVersion(versionId: string, options?: CallOptions): Promise<FileObject>;
  /** Deletes versions permanently. Returns their ids. 404: none of them exists. */
  deleteVersions(versionIds: readonly string[], options?: CallOptions): Promise<string[]>;
}

export function createVersions(transport: Transport): Versions {
  const readPage: Versions["versions"] = (file, { signal, ...page } = {}) =>
    call(transport, "listVersions", { query: { ...page, ...fileQuery(file) }, signal });
  const restore = sends(transport, "restoreVersion", "file");
  const remove = sends(transport, "deleteVersions", "deleted");
  return {
    versions: readPage,
    eachVersion: (file, options = {}) =>
      eachItem("versions", (page: VersionsOptions) => readPage(file, page), options),
    downloadVersion: (id, options) => downloadFrom(transport, "downloadVersion", { id }, options),
    versionUrl: (id, { download } = {}) =>
      transport.absoluteUrl(pathOf("downloadVersion") + queryOf({ id, download: flag(download) })),
    restoreVersion: (id, options) => restore({ id }, options),
    deleteVersions: (ids, options) => remove({ ids }, options),
  };
}
