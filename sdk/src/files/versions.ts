import type { FileObject, FileVersion } from "../../../contract/api.ts";
import { call, type Data, open, pathOf, sends } from "../connection/call.ts";
import { eachPage } from "../connection/each-page.ts";
import type { CallOptions } from "../connection/options.ts";
import type { Transport } from "../connection/transport.ts";
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
    async *eachVersion(file, options = {}) {
      const pages = eachPage((page: VersionsOptions) => readPage(file, page), options);
      for await (const { versions } of pages) yield* versions;
    },
    downloadVersion: (id, options = {}) =>
      downloadFrom(
        (headers) =>
          open(transport, "downloadVersion", { query: { id }, headers, signal: options.signal }),
        options,
      ),
    versionUrl: (id, { download = false } = {}) =>
      transport.absoluteUrl(
        `${pathOf("downloadVersion")}?id=${encodeURIComponent(id)}${download ? "&download=1" : ""}`,
      ),
    restoreVersion: (id, options) => restore({ id }, options),
    deleteVersions: (ids, options) => remove({ ids }, options),
  };
}
