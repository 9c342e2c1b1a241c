import type {
  DeleteResult,
  FileDigest,
  FileMetadata,
  FileMetadataResult,
  FileObject,
  FilesChanged,
  ListParameters,
  MetadataChange,
  SignedUrl,
  Visibility,
} from "../../contract/types/files.ts";
import {
  type Download,
  type DownloadOptions,
  download,
  downloadZip,
  type ZipDownload,
} from "./download.ts";
import { DEFAULT_PAGE_SIZE, eachPage } from "./each-page.ts";
import { type FileSelector, fileQuery } from "./file-selector.ts";
import type { CallOptions } from "./options.ts";
import type { Transport } from "./transport.ts";
import type { OnConflict } from "./upload.ts";
import { createVersions, type Versions } from "./versions.ts";

export type ListOptions = ListParameters & CallOptions;

export interface PageOptions extends Omit<ListParameters, "offset">, CallOptions {
  /** Only files with exactly this name. */
  readonly name?: string | undefined;
  /** Only files with this SHA-256 digest, in hexadecimal. */
  readonly sha256?: string | undefined;
  /** The `nextCursor` of the previous page. Default: the first page. */
  readonly cursor?: string | undefined;
}

export interface FilePage {
  readonly files: FileObject[];
  /** null on the last page. */
  readonly nextCursor: string | null;
}

export interface Change {
  readonly name?: string | undefined;
  readonly visibility?: Visibility | undefined;
}

/** What to do if the new name is already taken in the folder. */
export interface MeetsTaken {
  /**
   * Default: "refuse". "replace" deletes the file that has the name; "skip" leaves the file that moves as it
   * is.
   */
  readonly onConflict?: OnConflict | undefined;
  /** Whether a replaced file goes to the trash. Default: the server's setting `trashDeletions`. */
  readonly trash?: boolean | undefined;
}

export interface FileChange extends Change, MeetsTaken {
  /** The id of the folder to move it to. */
  readonly folderId?: string | undefined;
  /** Fields that are left out stay; null removes a field, or all of them. */
  readonly metadata?: MetadataChange | null | undefined;
}

/** The file after a change. */
export interface ChangedFile extends FileObject {
  /** Restores the file that it replaced, with `trash.restore`. undefined: there is none, or not in the trash. */
  readonly undoId?: string;
}

/** At least a visibility or a folder. */
export type FilesChange = Pick<FileChange, "visibility" | "folderId" | "onConflict" | "trash">;

export interface CopyFilesOptions extends CallOptions {
  /** The id of the folder to copy to. Default: the folder that each file is in. */
  readonly folderId?: string | undefined;
  /** The name of the copy, if one file is copied. Default: the same name. */
  readonly name?: string | undefined;
  /** What to do if a name is already taken there. Default: "refuse". */
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
  /** For `trash.restore`. null: it was deleted permanently. */
  readonly undoId: string | null;
}

export interface SignOptions extends CallOptions {
  /** Validity in seconds, at most the server's maximum. Default: the server's default. */
  readonly expiresIn?: number | undefined;
}

export interface SignedLink {
  /** Absolute. */
  readonly url: string;
  readonly expiresAt: Date;
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

/** Everything about stored files but their uploads. Every method throws a `HoldallError` if the request fails. */
export interface FileCalls extends Versions {
  /** Every file, in all folders. */
  list(options?: ListOptions): Promise<FileObject[]>;
  /** The files with exactly this name, in all folders. */
  named(name: string, options?: ListOptions): Promise<FileObject[]>;
  /** The files with this SHA-256 digest, in hexadecimal. */
  withDigest(sha256: string, options?: ListOptions): Promise<FileObject[]>;
  /** One page, stable while files are added and deleted. Default limit: 100. */
  page(options?: PageOptions): Promise<FilePage>;
  /** All pages, each requested when it is needed. */
  pages(options?: PageOptions): AsyncGenerator<FilePage, void>;
  /** All files, requested in pages of `limit`. */
  each(options?: PageOptions): AsyncGenerator<FileObject, void>;
  /** 404: no file has this id. */
  get(id: string, options?: CallOptions): Promise<FileObject>;
  /** 404: no file has this key. */
  getByKey(key: string, options?: CallOptions): Promise<FileObject>;
  /** The SHA-256 digest of a file. `file` is an id or has one or a key. 404: it does not exist. */
  digest(file: FileSelector, options?: CallOptions): Promise<FileDigest>;
  /** The metadata of a file, which responses with it have as headers. 404: it does not exist. */
  metadata(file: FileSelector, options?: CallOptions): Promise<FileMetadata>;
  /** Changes the name, visibility, folder or metadata, or several of them at once. */
  update(id: string, change: FileChange, options?: CallOptions): Promise<ChangedFile>;
  /**
   * Moves at most 5,000 files, or sets their visibility, in one transaction. Those that do not exist, or
   * whose name is taken in the folder, stay as they are, and are in `failed`, unless `onConflict` is set. 404: none of the files exists.
   */
  updateMany(
    ids: readonly string[],
    change: FilesChange,
    options?: CallOptions,
  ): Promise<FilesChanged>;
  /** Changes the key and the URL. */
  rename(id: string, name: string, options?: CallOptions): Promise<FileObject>;
  /** Moves the file to a folder. Changes the key and the URL. 409: the name is already taken there. */
  move(id: string, folderId: string, options?: CallOptions): Promise<FileObject>;
  setVisibility(id: string, visibility: Visibility, options?: CallOptions): Promise<FileObject>;
  /**
   * Copies a file, or at most 5,000, on the server, in one transaction. Returns the copies in order,
   * without skipped ones. 404: one of the files does not exist. 409: a name is already taken, and
   * `onConflict` is not set.
   */
  copy(ids: string | readonly string[], options?: CopyFilesOptions): Promise<FileObject[]>;
  /** Creates a URL that gives access without credentials until it expires. `file` is an id or has one or a key. */
  sign(file: FileSelector, options?: SignOptions): Promise<SignedLink>;
  /** Cannot be undone without the trash. 404: the file does not exist. */
  delete(id: string, options?: DeleteOptions): Promise<Deletion>;
  /** Handles each id independently. 404: none of the files exists. */
  deleteMany(ids: readonly string[], options?: DeleteOptions): Promise<DeleteResult>;
  download(id: string, options?: DownloadOptions): Promise<Download>;
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

const PATH = "/api/files";

export function createFileCalls(transport: Transport): FileCalls {
  const many = async (query: object, { signal }: CallOptions): Promise<FileObject[]> => {
    const call = { method: "GET", path: PATH, query, signal } as const;
    return (await transport.json<{ files: FileObject[] }>(call)).files;
  };
  const one = async (query: object, { signal }: CallOptions): Promise<FileObject> => {
    const call = { method: "GET", path: PATH, query, signal } as const;
    return (await transport.json<{ file: FileObject }>(call)).file;
  };
  const update: FileCalls["update"] = async (id, change, { signal } = {}) => {
    const { name, visibility, folderId, metadata, onConflict, trash } = change;
    const body = { id, name, visibility, folderId, metadata, onConflict, trash };
    const call = { method: "PUT", path: PATH, body, signal } as const;
    const changed = await transport.json<{ file: FileObject; undoId?: string }>(call);
    const { file, undoId } = changed;
    return undoId === undefined ? file : { ...file, undoId };
  };

  const page: FileCalls["page"] = ({
    signal,
    cursor = "",
    limit = DEFAULT_PAGE_SIZE,
    ...list
  } = {}) =>
    transport.json({ method: "GET", path: PATH, query: { ...list, limit, cursor }, signal });
  const pages: FileCalls["pages"] = (options = {}) => eachPage(page, options);

  const zipForm: FileCalls["zipForm"] = ({ ids = [], folderIds = [] }) => ({
    url: transport.absoluteUrl(`${PATH}/download`),
    fields: [
      ...ids.map((id) => ["ids", id] as const),
      ...folderIds.map((id) => ["folderIds", id] as const),
    ],
  });

  return {
    ...createVersions(transport),
    page,
    pages,
    async *each(options) {
      for await (const { files } of pages(options)) yield* files;
    },
    list: ({ signal, ...list } = {}) => many(list, { signal }),
    named: (name, { signal, ...list } = {}) => many({ ...list, name }, { signal }),
    get: (id, options = {}) => one({ id }, options),
    getByKey: (key, options = {}) => one({ key }, options),

    withDigest: (sha256, { signal, ...list } = {}) => many({ ...list, sha256 }, { signal }),
    digest: (file, { signal } = {}) =>
      transport.json<FileDigest>({
        method: "GET",
        path: `${PATH}/digest`,
        query: fileQuery(file),
        signal,
      }),

    async metadata(file, { signal } = {}) {
      const query = fileQuery(file);
      const call = { method: "GET", path: `${PATH}/metadata`, query, signal } as const;
      return (await transport.json<FileMetadataResult>(call)).metadata;
    },

    update,
    updateMany: (ids, { visibility, folderId, onConflict, trash }, { signal } = {}) => {
      const body = { ids, visibility, folderId, onConflict, trash };
      return transport.json<FilesChanged>({ method: "PUT", path: PATH, body, signal });
    },
    rename: (id, name, options) => update(id, { name }, options),
    move: (id, folderId, options) => update(id, { folderId }, options),
    setVisibility: (id, visibility, options) => update(id, { visibility }, options),

    async copy(ids, { signal, ...options } = {}) {
      const body = { ...(typeof ids === "string" ? { id: ids } : { ids }), ...options };
      const call = { method: "POST", path: `${PATH}/copy`, body, signal, isLong: true } as const;
      return (await transport.json<{ files: FileObject[] }>(call)).files;
    },

    async sign(file, { expiresIn, signal } = {}) {
      const body = { ...fileQuery(file), expiresIn };
      const call = { method: "POST", path: `${PATH}/sign`, body, signal } as const;
      const { url, expiresAt } = await transport.json<SignedUrl>(call);
      return { url: transport.absoluteUrl(url), expiresAt: new Date(expiresAt) };
    },

    async delete(id, { trash, signal } = {}) {
      const call = { method: "DELETE", path: PATH, body: { id, trash }, signal } as const;
      return { undoId: (await transport.json<DeleteResult>(call)).undoId ?? null };
    },
    deleteMany: (ids, { trash, signal } = {}) =>
      transport.json<DeleteResult>({ method: "DELETE", path: PATH, body: { ids, trash }, signal }),

    download: (id, options = {}) => download(transport, id, options),
    downloadZip: ({ ids, folderIds }, { signal } = {}) =>
      downloadZip(transport, {
        method: "POST",
        path: `${PATH}/download`,
        body: { ids, folderIds },
        signal,
      }),
    zipForm,
    zipUrl: (selection) => {
      const { url, fields } = zipForm(selection);
      return `${url}?${new URLSearchParams(fields.map(([name, id]) => [name, id]))}`;
    },
  };
}
