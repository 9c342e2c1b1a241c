import type {
  DeleteResult,
  FileDigest,
  FileMetadata,
  FileObject,
  FilesChanged,
  FilesSigned,
  MetadataChange,
  SignedUrl,
  Visibility,
} from "../../contract/api.ts";
import type { Included } from "../../contract/include.ts";
import { call, open, pathOf, type Query } from "./call.ts";
import {
  type Download,
  type DownloadOptions,
  downloadFrom,
  type ZipDownload,
  zipOf,
} from "./download.ts";
import { DEFAULT_PAGE_SIZE, eachPage } from "./each-page.ts";
import { HoldallError } from "./error.ts";
import { type FileSelector, type FolderSelector, fileQuery, filesQuery } from "./file-selector.ts";
import { ensureFolder, splitKey } from "./folder-of-key.ts";
import type { CallOptions } from "./options.ts";
import type { Transport } from "./transport.ts";
import type { OnConflict } from "./upload.ts";
import { createVersions, type Versions } from "./versions.ts";

export interface ListParameters
  extends Pick<Query<"listFiles">, "limit" | "offset" | "orderBy" | "orderDirection"> {
  /** Adds `sha256`, `metadata`, `etag`, `lastingUrl` or `expiresAt` to each file. */
  readonly include?: readonly Included[] | undefined;
}

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

/** When a file ends. null: never. At most one of the two. */
export interface FileEnd {
  /** In seconds. */
  readonly expiresIn?: number | null | undefined;
  /** UTC, or ISO 8601. */
  readonly expiresAt?: string | null | undefined;
}

export interface FileChange extends Change, MeetsTaken, FileEnd {
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

/** At least a visibility, a folder or an end. */
export type FilesChange = Omit<FileChange, "name" | "metadata">;

/** A folder to move to, by its id. */
export interface MoveTarget {
  readonly folderId: string;
}

export interface MoveOptions extends MeetsTaken, CallOptions {}

export interface CopyFilesOptions extends CallOptions, FileEnd {
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

export interface SignedFile extends SignedLink {
  readonly id: string;
  readonly key: string;
}

export type SigningFailure = FilesSigned["failed"][number];

/** Both lists are in the order of the files. */
export interface ManySigned {
  readonly signed: SignedFile[];
  readonly failed: SigningFailure[];
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
export interface FileCalls extends Versions {
  /** Every file directly in a folder, by its key ("" is the root) or `{ id }`, requested in pages of `limit`. */
  list(folder: string | FolderSelector, options?: PageOptions): AsyncGenerator<FileObject, void>;
  /** Every file, in all folders. */
  list(options?: ListOptions): Promise<FileObject[]>;
  /** The files with exactly this name, in all folders. */
  named(name: string, options?: ListOptions): Promise<FileObject[]>;
  /**
   * The files with this SHA-256 digest, in hexadecimal or as `digest` returns it. TypeError: the digest is
   * null, so that the content of the file is not known yet.
   */
  withDigest(
    sha256: string | DigestOfFile | Promise<DigestOfFile>,
    options?: ListOptions,
  ): Promise<FileObject[]>;
  /** One page, stable while files are added and deleted. Default limit: 100. */
  page(options?: PageOptions): Promise<FilePage>;
  /** All pages, each requested when it is needed. */
  pages(options?: PageOptions): AsyncGenerator<FilePage, void>;
  /** All files, requested in pages of `limit`. */
  each(options?: PageOptions): AsyncGenerator<FileObject, void>;
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
  /** Changes the name, visibility, folder, metadata or end, or several of them at once. */
  update(file: FileSelector, change: FileChange, options?: CallOptions): Promise<ChangedFile>;
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
  rename(file: FileSelector, name: string, options?: CallOptions): Promise<FileObject>;
  /**
   * Moves the file to a key, whose folders are created if they are missing, or to a folder. Changes the URL
   * too. 409: the name is already taken there, and `onConflict` is not set.
   */
  move(file: FileSelector, to: string | MoveTarget, options?: MoveOptions): Promise<ChangedFile>;
  setVisibility(
    file: FileSelector,
    visibility: Visibility,
    options?: CallOptions,
  ): Promise<FileObject>;
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
  /** Creates a URL that gives access without credentials until it expires. */
  sign(file: FileSelector, options?: SignOptions): Promise<SignedLink>;
  /** The URLs in the order of the files. 404: one of them does not exist. */
  sign(files: readonly FileSelector[], options?: SignOptions): Promise<SignedLink[]>;
  /** As above. Those that do not exist are in `failed`, by the ids or keys given. */
  signMany(files: readonly FileSelector[], options?: SignOptions): Promise<ManySigned>;
  /** Cannot be undone without the trash. 404: the file does not exist. */
  delete(file: FileSelector, options?: DeleteOptions): Promise<Deletion>;
  /**
   * Handles each file independently. `failed` has the ids, or the keys, of those that are not deleted. 404:
   * none of the files exists.
   */
  delete(files: readonly FileSelector[], options?: DeleteOptions): Promise<DeleteResult>;
  /** As above, by ids. */
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

/** In one request. */
const MAX_SIGNED = 1000;

type DigestOfFile = Pick<FileDigest, "sha256">;

export function createFileCalls(transport: Transport): FileCalls {
  const many = async (
    query: Query<"listFiles">,
    { signal }: CallOptions,
  ): Promise<FileObject[]> => {
    const data = await call(transport, "listFiles", { query, signal });
    return "files" in data ? data.files : [data.file];
  };
  const get: FileCalls["get"] = async (file, options = {}) => {
    const [found] = await many(fileQuery(file), options);
    if (found !== undefined) return found;
    throw new HoldallError(404, "The file does not exist.");
  };
  const update: FileCalls["update"] = async (file, change, { signal } = {}) => {
    const body = { ...change, ...fileQuery(file) };
    const data = await call(transport, "changeFile", { body, signal });
    // `ids` would get `files`.
    if (!("file" in data)) throw incomplete();
    return data.undoId === undefined ? data.file : { ...data.file, undoId: data.undoId };
  };

  const page: FileCalls["page"] = async ({
    signal,
    cursor = "",
    limit = DEFAULT_PAGE_SIZE,
    ...list
  } = {}) => {
    const query = { ...list, limit, cursor };
    const data = await call(transport, "listFiles", { query, signal });
    return "files" in data
      ? { files: data.files, nextCursor: data.nextCursor ?? null }
      : { files: [data.file], nextCursor: null };
  };
  const pages: FileCalls["pages"] = (options = {}) => eachPage(page, options);

  function list(
    folder: string | FolderSelector,
    options?: PageOptions,
  ): AsyncGenerator<FileObject, void>;
  function list(options?: ListOptions): Promise<FileObject[]>;
  function list(of: string | FolderSelector | ListOptions = {}, options: PageOptions = {}) {
    if (typeof of === "string") return inFolder({ key: of }, options);
    if ("id" in of || "key" in of) return inFolder(of, options);
    const { signal, ...query } = of;
    return many(query, { signal });
  }

  async function* inFolder(
    folder: FolderSelector,
    { signal, limit = DEFAULT_PAGE_SIZE, ...options }: PageOptions,
  ): AsyncGenerator<FileObject, void> {
    const read = async ({ cursor = "" }: PageOptions) => {
      const query = { ...options, ...fileQuery(folder), limit, cursor };
      const { files, nextCursor = null } = await call(transport, "browseFolder", { query, signal });
      return { files, nextCursor };
    };
    for await (const { files } of eachPage(read, options)) yield* files;
  }

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
      typeof to === "string" ? { ...given, ...(await placeAt(to, { signal })) } : given;
    const body = { ...target, ...(isList(files) ? filesQuery(files) : fileQuery(files)) };
    const copies = (await call(transport, "copyFiles", { body, signal, isLong: true })).files;
    return typeof to === "string" ? copies[0] : copies;
  }

  /** Where a file has this key. */
  async function placeAt(key: string, options: CallOptions) {
    const { folder, name } = splitKey(key);
    return { folderId: await ensureFolder(transport, folder, options), name };
  }

  function sign(file: FileSelector, options?: SignOptions): Promise<SignedLink>;
  function sign(files: readonly FileSelector[], options?: SignOptions): Promise<SignedLink[]>;
  async function sign(
    file: FileSelector | readonly FileSelector[],
    options: SignOptions = {},
  ): Promise<SignedLink | SignedLink[]> {
    const { expiresIn, signal } = options;
    if (isList(file)) {
      const { signed, failed } = await signMany(file, options);
      const [missing] = failed;
      if (missing !== undefined) throw new HoldallError(404, missing.message);
      return signed;
    }
    const body = { ...fileQuery(file), expiresIn };
    const data = await call(transport, "signFile", { body, signal });
    // `ids` would get `signed`.
    if (!("url" in data)) throw incomplete();
    return linkOf(data);
  }

  const linkOf = ({ url, expiresAt }: SignedUrl): SignedLink => ({
    url: transport.absoluteUrl(url),
    expiresAt: new Date(expiresAt),
  });

  const signMany: FileCalls["signMany"] = async (files, { expiresIn, signal } = {}) => {
    const signed: SignedFile[] = [];
    const failed: SigningFailure[] = [];
    const [[field = "ids", all = []] = []] = Object.entries(filesQuery(files));
    for (let at = 0; at < all.length; at += MAX_SIGNED) {
      const body = { [field]: all.slice(at, at + MAX_SIGNED), expiresIn };
      const data = await call(transport, "signFile", { body, signal });
      if (!("signed" in data)) throw incomplete();
      signed.push(...data.signed.map((each) => ({ ...each, ...linkOf(each) })));
      failed.push(...data.failed);
    }
    return { signed, failed };
  };

  const deleteMany: FileCalls["deleteMany"] = (ids, { trash, signal } = {}) =>
    call(transport, "deleteFiles", { body: { ids, trash }, signal });

  function remove(file: FileSelector, options?: DeleteOptions): Promise<Deletion>;
  function remove(files: readonly FileSelector[], options?: DeleteOptions): Promise<DeleteResult>;
  async function remove(
    file: FileSelector | readonly FileSelector[],
    options: DeleteOptions = {},
  ): Promise<Deletion | DeleteResult> {
    const { trash, signal } = options;
    if (isList(file)) {
      return call(transport, "deleteFiles", { body: { ...filesQuery(file), trash }, signal });
    }
    const body = { ...fileQuery(file), trash };
    return { undoId: (await call(transport, "deleteFiles", { body, signal })).undoId ?? null };
  }

  const zipForm: FileCalls["zipForm"] = ({ ids = [], folderIds = [] }) => ({
    url: transport.absoluteUrl(pathOf("downloadFiles")),
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
    list,
    named: (name, { signal, ...query } = {}) => many({ ...query, name }, { signal }),
    get,
    getByKey: (key, options) => get({ key }, options),
    async exists(key, options) {
      try {
        return (await get({ key }, options)) !== undefined;
      } catch (error) {
        if (error instanceof HoldallError && error.status === 404) return false;
        throw error;
      }
    },

    async withDigest(digest, { signal, ...query } = {}) {
      const given = await digest;
      const sha256 = typeof given === "string" ? given : given.sha256;
      if (sha256 === null) throw new TypeError("The digest of the file is not known yet.");
      return many({ ...query, sha256 }, { signal });
    },
    digest: (file, { signal } = {}) =>
      call(transport, "fileDigest", { query: fileQuery(file), signal }),
    async metadata(file, { signal } = {}) {
      return (await call(transport, "fileMetadata", { query: fileQuery(file), signal })).metadata;
    },

    update,
    async updateMany(ids, change, { signal } = {}) {
      const body = { ...change, ids };
      const data = await call(transport, "changeFile", { body, signal });
      return "files" in data ? data : { files: [data.file], failed: [], undoId: data.undoId };
    },
    rename: (file, name, options) => update(file, { name }, options),
    async move(file, to, { signal, onConflict, trash } = {}) {
      const place = typeof to === "string" ? await placeAt(to, { signal }) : to;
      return update(file, { ...place, onConflict, trash }, { signal });
    },
    setVisibility: (file, visibility, options) => update(file, { visibility }, options),
    copy,
    sign,
    signMany,
    delete: remove,
    deleteMany,

    async download(file, options = {}) {
      const { signal } = options;
      const query = fileQuery(file);
      return downloadFrom(
        (headers) => open(transport, "readContent", { query, headers, signal }),
        options,
      );
    },
    async downloadZip({ ids, folderIds }, { signal } = {}) {
      return zipOf(await open(transport, "downloadFiles", { body: { ids, folderIds }, signal }));
    },
    zipForm,
    zipUrl: (selection) => {
      const { url, fields } = zipForm(selection);
      return `${url}?${new URLSearchParams(fields.map(([name, id]) => [name, id]))}`;
    },
  };
}

const isList = (files: FileSelector | readonly FileSelector[]): files is readonly FileSelector[] =>
  Array.isArray(files);

const incomplete = (): HoldallError => new HoldallError(0, "The response is not complete.");
