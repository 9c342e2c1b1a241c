import type {
  FileObject,
  FolderDefault,
  FolderObject,
  FolderVisibility,
  MeasuredFolder,
  SubfolderObject,
  Visibility,
  VisibilityCounts,
} from "../../../contract/api.ts";
import { call, type Data, open, pathOf, sends } from "../connection/call.ts";
import { DEFAULT_PAGE_SIZE, eachPage } from "../connection/each-page.ts";
import { flag } from "../connection/flag.ts";
import type { CallOptions } from "../connection/options.ts";
import { queryOf, type Transport } from "../connection/transport.ts";
import { type ZipDownload, zipOf } from "./download.ts";
import type { DeleteOptions, Deletion } from "./file-calls.ts";
import type { Change } from "./file-changes.ts";
import type { ListParameters } from "./file-lists.ts";
import { type FolderSelector, fileQuery } from "./file-selector.ts";
import { linkOf, type SignedLink, type SignOptions } from "./file-signing.ts";
import type { OnConflict } from "./upload.ts";

export interface FolderContent {
  readonly folder: FolderObject;
  readonly files: FileObject[];
  /** Direct subfolders. */
  readonly folders: SubfolderObject[];
}

/** A page of the folder's files. Only the first page contains the subfolders. */
export interface FolderPage extends FolderContent {
  /** null on the last page. */
  readonly nextCursor: string | null;
}

export interface FolderSize {
  readonly files: number;
  readonly folders: number;
  readonly bytes: number;
}

/** The sum of several folders, in which one inside another counts once, and each of them. */
export interface FolderSizes extends FolderSize {
  readonly each: MeasuredFolder[];
}

export interface SubfolderOptions {
  /** Adds the first files of each subfolder, at most four, as its `peek`. Not together with `hasFolders`. */
  readonly peek?: boolean | undefined;
  /** Adds to each subfolder whether it has subfolders. */
  readonly hasFolders?: boolean | undefined;
}

export interface FolderPageOptions
  extends Omit<ListParameters, "offset">,
    SubfolderOptions,
    CallOptions {
  /** The `nextCursor` of the previous page. Default: the first page. */
  readonly cursor?: string | undefined;
}

/** The list parameters apply to the files. */
export type BrowseOptions = ListParameters & SubfolderOptions & CallOptions;

export interface FolderChange extends Change {
  /** The id of the folder to move it to. */
  readonly parentId?: string | undefined;
  /** The visibility of later uploads in and below the folder that name none. null: inherited again. */
  readonly defaultVisibility?: Visibility | null | undefined;
  /** Seconds after which later uploads in and below the folder end. 0: never. null: inherited again. */
  readonly expireAfter?: number | null | undefined;
  /** The action if the new name is already taken in the parent. Default: "refuse". "skip" changes nothing. */
  readonly onConflict?: Exclude<OnConflict, "replace"> | undefined;
}

export interface CopyFolderOptions extends CallOptions {
  /** The id of the folder to copy it into. Default: its parent. */
  readonly parentId?: string | undefined;
  /** The name of the copy. Default: the same name. */
  readonly name?: string | undefined;
  /**
   * The action if the name is already taken there. Default: "refuse". "replace" and "skip" copy into the
   * existing folder, and say what happens to its files.
   */
  readonly onConflict?: OnConflict | undefined;
}

export interface CopiedFolder {
  /** The copy, or the existing folder that it was copied into. */
  readonly folder: FolderObject;
  /** The number of files that were added. */
  readonly added: number;
  readonly replaced: number;
  readonly skipped: number;
  /** The size of the added and replaced files. */
  readonly bytes: number;
}

/** Folders. Every method throws a `HoldallError` if the request fails. */
export interface Folders {
  /** A folder, its files and its direct subfolders. 404: the folder does not exist. */
  browse(folder: FolderSelector, options?: BrowseOptions): Promise<FolderContent>;
  /** One page, stable while files are added and deleted. Default limit: 100. */
  page(folder: FolderSelector, options?: FolderPageOptions): Promise<FolderPage>;
  /** All pages, each requested when it is needed. */
  pages(folder: FolderSelector, options?: FolderPageOptions): AsyncGenerator<FolderPage, void>;
  root(options?: BrowseOptions): Promise<FolderContent>;
  /** Counts everything in a folder and its subfolders. 404: the folder does not exist. */
  size(folder: FolderSelector, options?: CallOptions): Promise<FolderSize>;
  /**
   * Counts everything in each of up to 150 folders, and in all together; there, a folder inside another counts
   * once. 404: a folder does not exist.
   */
  size(folders: { readonly ids: readonly string[] }, options?: CallOptions): Promise<FolderSizes>;
  /**
   * The visibility that uploads to a folder get if they name none, and the direct subfolders with a default of
   * their own (at most 1,000). 404: the folder does not exist.
   */
  visibility(
    folder: FolderSelector,
    options?: CallOptions,
  ): Promise<{ folder: FolderVisibility; folders: FolderDefault[] }>;
  /** Counts the public and private files in a folder and its subfolders. 404: it does not exist. */
  countVisibility(folder: FolderSelector, options?: CallOptions): Promise<VisibilityCounts>;
  /** Downloads the folder as a zip. 404: the folder does not exist. */
  download(id: string, options?: CallOptions): Promise<ZipDownload>;
  /** The absolute URL of that zip, for a signed-in browser. */
  downloadUrl(id: string): string;
  /** Creates missing parent folders too. 409: the folder exists. */
  create(path: string, options?: CallOptions): Promise<FolderObject>;
  /**
   * Changes the name, the parent, the visibility of all files inside, or the default of later uploads, or
   * several of them at once.
   */
  update(id: string, change: FolderChange, options?: CallOptions): Promise<FolderObject>;
  /** Changes the keys of everything in the folder. */
  rename(id: string, name: string, options?: CallOptions): Promise<FolderObject>;
  /** Moves the folder into another. Changes the keys of everything in it. */
  move(id: string, parentId: string, options?: CallOptions): Promise<FolderObject>;
  /**
   * Copies the folder with everything in it on the server, in one transaction. At most 10,000 files. 409:
   * the name is already taken, and `onConflict` is not set.
   */
  copy(id: string, options?: CopyFolderOptions): Promise<CopiedFolder>;
  /** Changes every file in the folder and its subfolders. Does not affect later uploads. */
  setVisibility(id: string, visibility: Visibility, options?: CallOptions): Promise<FolderObject>;
  /**
   * Creates a URL prefix that gives access to every file in the folder, at any depth, without credentials
   * until it expires. It ends with a slash: append a percent-encoded relative path. 404: the folder does not exist.
   */
  sign(folder: FolderSelector, options?: SignOptions): Promise<SignedLink>;
  /** Deletes the folder with everything in it. Cannot be undone without the trash. */
  delete(id: string, options?: DeleteOptions): Promise<Deletion>;
}

export function createFolders(transport: Transport): Folders {
  const browse = async (
    query: ReturnType<typeof fileQuery>,
    { signal, peek, hasFolders, ...list }: BrowseOptions & { readonly cursor?: string },
  ): Promise<Data<"browseFolder">> =>
    call(transport, "browseFolder", {
      query: { ...list, peek: flag(peek), hasFolders: flag(hasFolders), ...query },
      signal,
    });
  const create = sends(transport, "createFolder", "folder");
  const change = sends(transport, "changeFolder", "folder");
  const update: Folders["update"] = (id, changes, options) => {
    const { name, visibility, parentId, defaultVisibility, expireAfter, onConflict } = changes;
    return change(
      { id, name, visibility, parentId, defaultVisibility, expireAfter, onConflict },
      options,
    );
  };

  const page: Folders["page"] = async (
    folder,
    { cursor = "", limit = DEFAULT_PAGE_SIZE, ...options } = {},
  ) => {
    const found = await browse(fileQuery(folder), { ...options, limit, cursor });
    return { ...found, nextCursor: found.nextCursor ?? null };
  };

  function size(folder: FolderSelector, options?: CallOptions): Promise<FolderSize>;
  function size(
    folders: { readonly ids: readonly string[] },
    options?: CallOptions,
  ): Promise<FolderSizes>;
  async function size(
    folder: FolderSelector | { readonly ids: readonly string[] },
    { signal }: CallOptions = {},
  ): Promise<FolderSize> {
    const query = "ids" in folder ? { ids: folder.ids } : fileQuery(folder);
    return call(transport, "measureFolder", { query, signal });
  }

  return {
    browse: (folder, options = {}) => browse(fileQuery(folder), options),
    page,
    size,
    visibility: (folder, { signal } = {}) =>
      call(transport, "readFolderVisibility", { query: fileQuery(folder), signal }),
    countVisibility: (folder, { signal } = {}) =>
      call(transport, "countVisibility", { query: fileQuery(folder), signal }),
    pages: (folder, options = {}) => eachPage((one) => page(folder, one), options),
    root: (options = {}) => browse({}, options),
    async download(id, { signal } = {}) {
      return zipOf(await open(transport, "downloadFolder", { query: { id }, signal }));
    },
    downloadUrl: (id) => transport.absoluteUrl(pathOf("downloadFolder") + queryOf({ id })),
    create: (folder, options) => create({ folder }, options),
    update,
    rename: (id, name, options) => update(id, { name }, options),
    move: (id, parentId, options) => update(id, { parentId }, options),
    setVisibility: (id, visibility, options) => update(id, { visibility }, options),
    copy: (id, { signal, ...options } = {}) =>
      call(transport, "copyFolder", { body: { ...options, id }, signal, isLong: true }),
    async sign(folder, { expiresIn, signal } = {}) {
      const body = { ...fileQuery(folder), expiresIn };
      return linkOf(transport, await call(transport, "signFolder", { body, signal }));
    },
    async delete(id, { trash, signal } = {}) {
      const deletion = await call(transport, "deleteFolder", { body: { id, trash }, signal });
      return { undoId: deletion.undoId ?? null };
    },
  };
}
