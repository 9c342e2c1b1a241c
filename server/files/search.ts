import type { FileTree } from "../catalog/port/file-tree.ts";
import { Fault } from "../rules/fault.ts";
import { keyNames, parseKey, parseName } from "../rules/name.ts";
import { nameMatch } from "../rules/name-match.ts";
import type { FileRecord, FolderRecord, Key } from "../rules/records.ts";
import { isFiltering, type SearchFilter } from "../rules/search-filter.ts";
import { findFolder } from "./find.ts";

/** A position in the results; the path is relative to the searched folder. */
export type SearchPlace =
  | { readonly kind: "folder"; readonly path: string }
  | { readonly kind: "file"; readonly path: string; readonly name: string };

export interface SearchRequest {
  readonly text: string;
  /** The folder to search, including everything below it. Default: the top folder. */
  readonly folderId?: string | undefined;
  /** If it leaves out anything, no folders are found. */
  readonly filter?: SearchFilter | undefined;
  /** Maximum number of files and folders together. */
  readonly limit: number;
  readonly after?: SearchPlace | undefined;
  /** Aborted when the client disconnects. */
  readonly signal: AbortSignal;
}

/** Folders in the order of their keys, then files in the order of folder key and name. */
export interface SearchResult {
  readonly folders: FolderRecord[];
  readonly files: FileRecord[];
  /** null: this is the last page. */
  readonly next: SearchPlace | null;
}

/**
 * Files and folders whose names match a text, ignoring case and accents. Faults: "not_found": no such folder;
 * "invalid": `after` is not a valid position; "unavailable": aborted.
 */
export async function searchNames(names: FileTree, request: SearchRequest): Promise<SearchResult> {
  const { text, folderId, filter = {}, limit, after, signal } = request;
  const top = folderId === undefined ? "top" : { id: folderId };
  const below = (await findFolder(names, top)).key;
  const match = nameMatch(text);
  if (match === undefined) return { folders: [], files: [], next: null };
  // One more than requested shows whether there is a next page.
  const search = { match, below, limit: limit + 1 };
  const place = after && { ...after, key: inside(below, after.path) };
  const folders =
    place?.kind === "file" || isFiltering(filter)
      ? []
      : await collect(names.findFolders({ ...search, after: place?.key }), signal);
  const rest = limit + 1 - folders.length;
  const from =
    place?.kind === "file" ? { folder: place.key, name: parseName(place.name) } : undefined;
  const files =
    rest === 0
      ? []
      : await collect(names.findFiles({ ...search, filter, limit: rest, after: from }), signal);
  if (folders.length + files.length <= limit) return { folders, files, next: null };
  (files.length > 0 ? files : folders).pop();
  return { folders, files, next: lastPlace(below, folders, files) };
}

function lastPlace(
  below: Key,
  folders: readonly FolderRecord[],
  files: readonly FileRecord[],
): SearchPlace | null {
  const [file, folder] = [files.at(-1), folders.at(-1)];
  const path = (names: readonly string[]): string => names.slice(keyNames(below).length).join("/");
  if (file !== undefined) {
    return { kind: "file", path: path(keyNames(file.key).slice(0, -1)), name: file.name };
  }
  return folder === undefined ? null : { kind: "folder", path: path(keyNames(folder.key)) };
}

const inside = (below: Key, path: string): Key => parseKey(`${below}/${path}`);

async function collect<T>(batches: AsyncIterable<T[]>, signal: AbortSignal): Promise<T[]> {
  const all: T[] = [];
  for await (const batch of batches) {
    if (signal.aborted) throw new Fault("unavailable", "The search was cancelled.");
    all.push(...batch);
  }
  return all;
}
