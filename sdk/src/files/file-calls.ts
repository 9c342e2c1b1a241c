import type { DeleteResult, FileDigest, FileMetadata, FileObject } from "../../../contract/api.ts";
import { call, open, pathOf } from "../connection/call.ts";
import { HoldallError, unless } from "../connection/error.ts";
import type { CallOptions } from "../connection/options.ts";
import { queryOf, type Transport } from "../connection/transport.ts";
import {
  type Download,
  type DownloadOptions,
  downloadFrom,
  type ZipDownload,
  zipOf,
} from "./download.ts";
import { createFileChanges, type FileChanges, type FileEnd } from "./file-changes.ts";
import { createFileLists, type FileLists, findFiles } from "./file-lists.ts";
import { anyQuery, type FileSelector, fileQuery, isList } from "./file-selector.ts";
import { createFileSigning, type FileSigning } from "./file-signing.ts";
import { placeOf } from "./folder-of-key.ts";
import type { OnConflict } from "./upload.ts";
import { createVersions, type Versions } from "./versions.ts";

export interface CopyFilesOptions extends CallOptions, FileEnd {
  /** The id of the folder to copy to. Default: the folder that each file is in. */
  readonly folderId?: string | undefined;
  /** The name of the copy, if one file is copied. Default: the same name. */
  readonly name?: string | undefined;
  /** The action if a name is already taken there. Default: "refuse". */
  readonly onConflict?: OnConflict | undefined;
}

export interface DeleteOptions extends CallOptions {
  /**
   * true: moves to the trash, from which `trash.restore` brings it back. false: deletes permanently.
   * Default: the server's setting `trashDeletions`.
   */
  readonly trash?: boolean | undefined;
}

export interface Deletion {
  /** The id for `trash.restore`. null: it was deleted permanently. */
  readonly undoId: string | null;
}

/** The URL and the fields of an HTML form. */
export interface ZipForm {
  readonly url: string;
  readonly fields: readonly (readonly [name: string, value: string])[];
}

/** At least one id. */
export interface ZipSelection {
  readonly ids?: readonly string[] | undefined;
  readonly folderIds?: readonly string[] | undefined;
}

/**
 * Everything about stored files but their uploads. A `FileSelector` is an id or `{ key }`. Every method throws
 * a `HoldallError` if the request fails.
 */
export interface FileCalls extends FileLists, FileChanges, FileSigning, Versions {
  /** 404: it does not exist. */
  get(file: FileSelector, options?: CallOptions): Promise<FileObject>;
  /** 404: no file has this key. */
  getByKey(key: string, options?: CallOptions): Promise<FileObject>;
  /** Whether a file has this key, and the API key may see it. */
  exists(key: string, options?: CallOptions): Promise<boolean>;
  /** The SHA-256 digest of a file. 404: it does not exist. */
  digest(file: FileSelector, options?: CallOptions): Promise<FileDigest>;
  /** The metadata of a file, which responses with it have as headers. 404: it does not exist. */
  metadata(file: FileSelector, options?: CallOptions): Promise<FileMetadata>;
  /**
   * Copies the file to a key, whose folders are created if they are missing. undefined: the name is taken,
   * and `onConflict` is "skip". 409: it is taken, and `onConflict` is not set.
   */
  copy(
    file: FileSelector,
    to: string,
    options?: Omit<CopyFilesOptions, "folderId" | "name">,
  ): Promise<FileObject | undefined>;
  /**
   * Copies a file, or at most 5,000, on the server, in one transaction. Returns the copies in order,
   * without skipped ones. 404: one of the files does not exist. 409: a name is already taken, and
   * `onConflict` is not set.
   */
  copy(
    files: FileSelector | readonly FileSelector[],
    options?: CopyFilesOptions,
  ): Promise<FileObject[]>;
  /** Cannot be undone without the trash. 404: the file does not exist. */
  delete(file: FileSelector, options?: DeleteOptions): Promise<Deletion>;
  /**
   * Handles each file independently. `failed` has the ids, or the keys, of those that are not deleted. 404:
   * none of the files exists.
   */
  delete(files: readonly FileSelector[], options?: DeleteOptions): Promise<DeleteResult>;
  /** Deletes several files, by ids. */
  deleteMany(ids: readonly string[], options?: DeleteOptions): Promise<DeleteResult>;
  download(file: FileSelector, options?: DownloadOptions): Promise<Download>;
  /**
   * An HTML form (`application/x-www-form-urlencoded`) with which a signed-in browser saves the zip
   * directly, without the page's memory.
   */
  zipForm(selection: ZipSelection): ZipForm;
  /**
   * The absolute URL of that zip, for a signed-in browser. The server refuses URLs of more than about
   * 16 KB: use `zipForm` for more than 300 ids.
   */
  zipUrl(selection: ZipSelection): string;
  /** Downloads files and folders as a zip. 404: one of them does not exist. */
  downloadZip(selection: ZipSelection, options?: CallOptions): Promise<ZipDownload>;
}

export function createFileCalls(transport: Transport): FileCalls {
  const get: FileCalls["get"] = async (file, options = {}) => {
    const [found] = await findFiles(transport, fileQuery(file), options);
    if (found) return found;
    throw new HoldallError(404, "The file does not exist.");
  };
  function copy(
    file: FileSelector,
    to: string,
    options?: Omit<CopyFilesOptions, "folderId" | "name">,
  ): Promise<FileObject | undefined>;
  function copy(
    files: FileSelector | readonly FileSelector[],
    options?: CopyFilesOptions,
  ): Promise<FileObject[]>;
  async function copy(
    files: FileSelector | readonly FileSelector[],
    to: string | CopyFilesOptions = {},
    options: CopyFilesOptions = {},
  ): Promise<FileObject | undefined | FileObject[]> {
    const { signal, ...given } = typeof to === "string" ? options : to;
    const target =
      typeof to === "string" ? { ...given, ...(await placeOf(transport, to, { signal })) } : given;
    const body = { ...target, ...anyQuery(files) };
    const copies = (await call(transport, "copyFiles", { body, signal, isLong: true })).files;
    return typeof to === "string" ? copies[0] : copies;
  }

  function remove(file: FileSelector, options?: DeleteOptions): Promise<Deletion>;
  function remove(files: readonly FileSelector[], options?: DeleteOptions): Promise<DeleteResult>;
  async function remove(
    file: FileSelector | readonly FileSelector[],
    options: DeleteOptions = {},
  ): Promise<Deletion | DeleteResult> {
    const { trash, signal } = options;
    const body = { ...anyQuery(file), trash };
    const result = await call(transport, "deleteFiles", { body, signal });
    return isList(file) ? result : { undoId: result.undoId ?? null };
  }

  const zipForm: FileCalls["zipForm"] = ({ ids = [], folderIds = [] }) => ({
    url: transport.absoluteUrl(pathOf("downloadFiles")),
    fields: [
      ...ids.map((id) => ["ids", id] as const),
      ...folderIds.map((id) => ["folderIds", id] as const),
    ],
  });

  return {
    ...createFileLists(transport),
    ...createFileChanges(transport),
    ...createFileSigning(transport),
    ...createVersions(transport),
    get,
    getByKey: (key, options) => get({ key }, options),
    exists: async (key, options) => !!(await get({ key }, options).catch(unless(404))),

    digest: (file, { signal } = {}) =>
      call(transport, "fileDigest", { query: fileQuery(file), signal }),
    async metadata(file, { signal } = {}) {
      return (await call(transport, "fileMetadata", { query: fileQuery(file), signal })).metadata;
    },

    copy,
    delete: remove,
    deleteMany: remove,

    download: async (file, options) =>
      downloadFrom(transport, "readContent", fileQuery(file), options),
    async downloadZip({ ids, folderIds }, { signal } = {}) {
      return zipOf(await open(transport, "downloadFiles", { body: { ids, folderIds }, signal }));
    },
    zipForm,
    zipUrl: ({ ids, folderIds }) =>
      transport.absoluteUrl(pathOf("downloadFiles") + queryOf({ ids, folderIds })),
  };
}
