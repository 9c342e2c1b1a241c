import type { FileObject, FileVersion } from "../../contract/types.ts";
import { type Download, type DownloadOptions, downloadFrom } from "./download.ts";
import { type FileSelector, fileQuery } from "./file-selector.ts";
import type { CallOptions } from "./options.ts";
import type { Transport } from "./transport.ts";

/** What files contained before. Every method throws a `HoldallError` if the request fails. */
export interface Versions {
  /** The versions of a file, latest first. `file` is an id or has one or a key. 404: it does not exist. */
  versions(file: FileSelector, options?: CallOptions): Promise<FileVersion[]>;
  /** 404: the version does not exist. */
  downloadVersion(versionId: string, options?: DownloadOptions): Promise<Download>;
  /** The absolute URL of a version's content, for a signed-in browser. */
  versionUrl(versionId: string, options?: { readonly download?: boolean | undefined }): string;
  /** Makes a version the content of its file; the current content becomes a version. */
  restoreVersion(versionId: string, options?: CallOptions): Promise<FileObject>;
  /** Deletes versions for good. Returns their ids. 404: none of them exists. */
  deleteVersions(versionIds: readonly string[], options?: CallOptions): Promise<string[]>;
}

const PATH = "/api/files/versions";

export function createVersions(transport: Transport): Versions {
  return {
    async versions(file, { signal } = {}) {
      const call = { method: "GET", path: PATH, query: fileQuery(file), signal } as const;
      return (await transport.json<{ versions: FileVersion[] }>(call)).versions;
    },
    downloadVersion: (id, options = {}) =>
      downloadFrom(transport, { path: `${PATH}/content`, query: { id } }, options),
    versionUrl: (id, { download = false } = {}) =>
      transport.absoluteUrl(
        `${PATH}/content?id=${encodeURIComponent(id)}${download ? "&download=1" : ""}`,
      ),
    async restoreVersion(id, { signal } = {}) {
      const call = { method: "POST", path: `${PATH}/restore`, body: { id }, signal } as const;
      return (await transport.json<{ file: FileObject }>(call)).file;
    },
    async deleteVersions(ids, { signal } = {}) {
      const call = { method: "DELETE", path: PATH, body: { ids }, signal } as const;
      return (await transport.json<{ deleted: string[] }>(call)).deleted;
    },
  };
}
