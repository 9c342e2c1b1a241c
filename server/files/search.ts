import { MAX_COUNTED } from "../../contract/text/max-counted.ts";
import type { FileTree } from "../catalog/port/file-tree.ts";
import type { CountedFiles, SearchHit } from "../catalog/port/search.ts";
import type { SeenBy } from "../domain/callers/caller.ts";
import { Fault } from "../domain/faults/fault.ts";
import { keyNames, parseKey, parseName } from "../domain/names/name.ts";
import { nameMatch } from "../domain/names/name-match.ts";
import type { FileRecord, FolderRecord, Key, ListPosition, Page } from "../domain/records.ts";
import { isFiltering, type SearchFilter } from "../domain/search-filter.ts";
import { findFolder } from "./find.ts";

/** A position in the results; the path is relative to the searched folder. */
export type SearchPlace =
  | { readonly kind: "folder"; readonly path: string }
  | { readonly kind: "file"; readonly path: string; readonly name: string }
  | ({ readonly kind: "ranked" } & ListPosition);

export type SearchOrder = Pick<Page, "orderBy" | "direction">;

export interface SearchRequest {
  readonly text: string;
  /** The folder to search, including everything below it. Default: the top folder. */
  readonly folderId?: string | undefined;
  /** The key of the folder, instead of `folderId`. */
  readonly folder?: string | undefined;
  /** If it leaves out anything, no folders are found. */
  readonly filter?: SearchFilter | undefined;
  /** The order of the files. Default: by folder key and name. */
  readonly order?: SearchOrder | undefined;
  /** Whether to count everything that is found. */
  readonly counts: boolean;
  /** Maximum number of files and folders together. */
  readonly limit: number;
  readonly after?: SearchPlace | undefined;
  /** Aborted when the client disconnects. */
  readonly signal: AbortSignal;
}

/** Folders in the order of their keys, then files. */
export interface SearchResult {
  readonly folders: FolderRecord[];
  readonly files: FileRecord[];
  /** null: this is the last page. */
  readonly next: SearchPlace | null;
  /** Files and folders on all pages; `MAX_COUNTED` stands for that many or more. null: not counted. */
  readonly total: number | null;
}

/**
 * Files and folders whose names match a text, ignoring case and accents. Faults: "not_found": no such folder;
 * "invalid": `after` is not a valid position; "unavailable": aborted.
 */
export async function searchNames(
  caller: SeenBy,
  names: FileTree,
  request: SearchRequest,
): Promise<SearchResult> {
  const { text, folderId, folder, filter = {}, limit, after, counts, signal } = request;
  const named = folder === undefined ? "top" : { key: folder };
  const top = folderId === undefined ? named : { id: folderId };
  const below = (await findFolder(caller, names, top)).key;
  const match = nameMatch(text);
  if (match === undefined) {
    return { folders: [], files: [], next: null, total: counts ? 0 : null };
  }
  // One more than requested shows whether there is a next page.
  const search = { match, below, limit: limit + 1 };
  const folders =
    isFiltering(filter) || (after !== undefined && after.kind !== "folder")
      ? []
      : await collect(
          names.findFolders(caller, { ...search, after: after && inside(below, after.path) }),
          signal,
          (key) => ({ kind: "folder", path: pathBelow(below, key) }),
        );
  const rest = { ...search, filter, limit: search.limit - folders.length };
  const files = rest.limit === 0 ? [] : await findFiles(caller, names, rest, request);
  const hasMore = folders.length + files.length > limit;
  if (hasMore) (files.length > 0 ? files : folders).pop();
  const next = hasMore ? ((files.at(-1) ?? folders.at(-1))?.place ?? null) : null;
  const page = { folders: recordsOf(folders), files: recordsOf(files), next };
  const found = page.folders.length + page.files.length;
  // Everything on this page has been deleted meanwhile, and clients take an empty page for the last one.
  if (found === 0 && next !== null) return searchNames(caller, names, { ...request, after: next });
  if (!counts) return { ...page, total: null };
  const isWhole = after === undefined && !hasMore;
  const total = isWhole ? found : await countFound(caller, names, { match, below, filter }, signal);
  return { ...page, total };
}

function findFiles(
  caller: SeenBy,
  names: FileTree,
  search: CountedFiles & { readonly limit: number },
  { order, after, signal }: SearchRequest,
): Promise<Hit<FileRecord>[]> {
  const { below } = search;
  if (order !== undefined) {
    const from = after?.kind === "ranked" ? after : undefined;
    const ranked = names.rankFiles(caller, { ...search, order, after: from });
    return collect(ranked, signal, (position) => ({ kind: "ranked", ...position }));
  }
  const from =
    after?.kind === "file"
      ? { folder: inside(below, after.path), name: parseName(after.name) }
      : undefined;
  return collect(
    names.findFiles(caller, { ...search, after: from }),
    signal,
    ({ folder, name }) => ({
      kind: "file",
      path: pathBelow(below, folder),
      name,
    }),
  );
}

async function countFound(
  caller: SeenBy,
  names: FileTree,
  search: CountedFiles,
  signal: AbortSignal,
): Promise<number> {
  let total = 0;
  const counts = isFiltering(search.filter ?? {})
    ? [names.countFoundFiles(caller, search)]
    : [names.countFoundFolders(caller, search), names.countFoundFiles(caller, search)];
  for (const each of counts) {
    for await (const count of each) {
      stopIfAborted(signal);
      total += count;
      if (total >= MAX_COUNTED) return MAX_COUNTED;
    }
  }
  return total;
}

const inside = (below: Key, path: string): Key => parseKey(`${below}/${path}`);

/** The inverse of `inside`. */
const pathBelow = (below: Key, key: Key): string =>
  keyNames(key).slice(keyNames(below).length).join("/");

type Hit<R> = SearchHit<R, SearchPlace>;

async function collect<R, Place>(
  batches: AsyncIterable<SearchHit<R, Place>[]>,
  signal: AbortSignal,
  searchPlace: (place: Place) => SearchPlace,
): Promise<Hit<R>[]> {
  const all: Hit<R>[] = [];
  for await (const batch of batches) {
    stopIfAborted(signal);
    all.push(...batch.map(({ place, record }) => ({ place: searchPlace(place), record })));
  }
  return all;
}

const recordsOf = <R>(hits: readonly Hit<R>[]): R[] => hits.flatMap(({ record }) => record ?? []);

function stopIfAborted(signal: AbortSignal): void {
  if (signal.aborted) throw new Fault("unavailable", "The search was cancelled.");
}
