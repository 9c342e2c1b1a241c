import type {
  FileObject,
  FolderObject,
  FolderSize,
  ListParameters,
  Visibility,
} from "../../contract/types.ts";
import { downloadZip, type ZipDownload } from "./download.ts";
import { DEFAULT_PAGE_SIZE, eachPage } from "./each-page.ts";
import type { Change, DeleteOptions, Deletion } from "./files.ts";
import type { CallOptions } from "./options.ts";
import type { Transport } from "./transport.ts";

export interface FolderContent {
  readonly folder: FolderObject;
  readonly files: FileObject[];
  /** Direct subfolders. */
  readonly folders: FolderObject[];
}

/** A page of the folder's files. Only the first page contains the subfolders. */
export interface FolderPage extends FolderContent {
  /** null on the last page. */
  readonly nextCursor: string | null;
}

export interface FolderPageOptions extends Omit<ListParameters, "offset">, CallOptions {
  /** The `nextCursor` of the previous page. Default: the first page. */
  readonly cursor?: string | undefined;
}

/** Selects a folder by its id or its key. */
export type FolderSelector = { readonly id: string } | { readonly key: string };

/** The list parameters apply to the files. */
export type BrowseOptions = ListParameters & CallOptions;

export interface FolderChange extends Change {
  /** The id of the folder to move it to. */
  readonly parentId?: string | undefined;
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
  /** Downloads the folder as a zip. 404: the folder does not exist. */
  download(id: string, options?: CallOptions): Promise<ZipDownload>;
  /** The absolute URL of that zip, for a signed-in browser. */
  downloadUrl(id: string): string;
  /** Creates missing parent folders too. 409: the folder exists. */
  create(path: string, options?: CallOptions): Promise<FolderObject>;
  /** Changes the name, the parent or the visibility of all files inside, or several of them at once. */
  update(id: string, change: FolderChange, options?: CallOptions): Promise<FolderObject>;
  /** Changes the keys of everything in the folder. */
  rename(id: string, name: string, options?: CallOptions): Promise<FolderObject>;
  /** Moves the folder into another. Changes the keys of everything in it. */
  move(id: string, parentId: string, options?: CallOptions): Promise<FolderObject>;
  /** Changes every file in the folder and its subfolders. Does not affect later uploads. */
  setVisibility(id: string, visibility: Visibility, options?: CallOptions): Promise<FolderObject>;
  /** Deletes the folder with everything in it. Cannot be undone without the trash. */
  delete(id: string, options?: DeleteOptions): Promise<Deletion>;
}

const PATH = "/api/folders";

export function createFolders(transport: Transport): Folders {
  const browse = (selector: object, { signal, ...list }: BrowseOptions): Promise<FolderContent> =>
    transport.json({ method: "GET", path: PATH, query: { ...list, ...selector }, signal });
  const update: Folders["update"] = async (id, { name, visibility, parentId }, { signal } = {}) => {
    const body = { id, name, visibility, parentId };
    const call = { method: "PUT", path: PATH, body, signal } as const;
    return (await transport.json<{ folder: FolderObject }>(call)).folder;
  };

  const page: Folders["page"] = (
    folder,
    { signal, cursor = "", limit = DEFAULT_PAGE_SIZE, ...list } = {},
  ) => {
    const query = { ...list, ...selectorOf(folder), limit, cursor };
    return transport.json({ method: "GET", path: PATH, query, signal });
  };

  return {
    browse: (folder, options = {}) => browse(selectorOf(folder), options),
    page,
    size: (folder, { signal } = {}) =>
      transport.json({ method: "GET", path: `${PATH}/size`, query: selectorOf(folder), signal }),
    pages: (folder, options = {}) => eachPage((one) => page(folder, one), options),
    root: (options = {}) => browse({}, options),
    download: (id, { signal } = {}) =>
      downloadZip(transport, { method: "GET", path: `${PATH}/download`, query: { id }, signal }),
    downloadUrl: (id) => transport.absoluteUrl(`${PATH}/download?id=${encodeURIComponent(id)}`),
    async create(folder, { signal } = {}) {
      const call = { method: "POST", path: PATH, body: { folder }, signal } as const;
      return (await transport.json<{ folder: FolderObject }>(call)).folder;
    },
    update,
    rename: (id, name, options) => update(id, { name }, options),
    move: (id, parentId, options) => update(id, { parentId }, options),
    setVisibility: (id, visibility, options) => update(id, { visibility }, options),
    async delete(id, { trash, signal } = {}) {
      const call = { method: "DELETE", path: PATH, body: { id, trash }, signal } as const;
      return { undoId: (await transport.json<{ undoId?: string }>(call)).undoId ?? null };
    },
  };
}

const selectorOf = (folder: FolderSelector): object =>
  "id" in folder ? { id: folder.id } : { key: folder.key };
