import type { FileDigest, FileObject } from "../../../contract/api.ts";
import type { Included } from "../../../contract/include.ts";
import { call, type Query } from "../connection/call.ts";
import { DEFAULT_PAGE_SIZE, eachItem, eachPage } from "../connection/each-page.ts";
import type { CallOptions } from "../connection/options.ts";
import type { Transport } from "../connection/transport.ts";
import { type FolderSelector, fileQuery } from "./file-selector.ts";

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

/** The files of a folder, of all folders, or of a page. */
export interface FileLists {
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
}

type DigestOfFile = Pick<FileDigest, "sha256">;

/** The files that a query finds, or the one that it selects. */
export async function findFiles(
  transport: Transport,
  query: Query<"listFiles">,
  { signal }: CallOptions,
): Promise<FileObject[]> {
  const data = await call(transport, "listFiles", { query, signal });
  return "files" in data ? data.files : [data.file];
}

export function createFileLists(transport: Transport): FileLists {
  const page: FileLists["page"] = async ({
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
  const pages: FileLists["pages"] = (options = {}) => eachPage(page, options);

  function list(
    folder: string | FolderSelector,
    options?: PageOptions,
  ): AsyncGenerator<FileObject, void>;
  function list(options?: ListOptions): Promise<FileObject[]>;
  function list(of: string | FolderSelector | ListOptions = {}, options: PageOptions = {}) {
    if (typeof of === "string") return inFolder({ key: of }, options);
    if ("id" in of || "key" in of) return inFolder(of, options);
    const { signal, ...query } = of;
    return findFiles(transport, query, { signal });
  }

  function inFolder(
    folder: FolderSelector,
    options: PageOptions,
  ): AsyncGenerator<FileObject, void> {
    const read = async ({ signal, limit = DEFAULT_PAGE_SIZE, ...page }: PageOptions) => {
      const query = { ...page, ...fileQuery(folder), limit };
      const { files, nextCursor = null } = await call(transport, "browseFolder", { query, signal });
      return { files, nextCursor };
    };
    return eachItem("files", read, options);
  }

  return {
    page,
    pages,
    each: (options = {}) => eachItem("files", page, options),
    list,
    named: (name, { signal, ...query } = {}) =>
      findFiles(transport, { ...query, name }, { signal }),
    async withDigest(digest, { signal, ...query } = {}) {
      const given = await digest;
      const sha256 = typeof given === "string" ? given : given.sha256;
      if (sha256 === null) throw new TypeError("The digest of the file is not known yet.");
      return findFiles(transport, { ...query, sha256 }, { signal });
    },
  };
}
