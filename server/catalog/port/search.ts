import type { NameMatch } from "../../domain/names/name-match.ts";
import type { Key, ListPosition, Name, Page } from "../../domain/records.ts";
import type { SearchFilter } from "../../domain/search-filter.ts";

/** What is found: names below a folder, at any depth. */
interface Found {
  readonly match: NameMatch;
  readonly below: Key;
}

export interface Search<Place> extends Found {
  /** The search continues after this. */
  readonly after?: Place | undefined;
  readonly limit: number;
}

export interface FileSearch extends Search<FilePlace> {
  readonly filter?: SearchFilter | undefined;
}

/** The file with this name in the folder with this key. */
export interface FilePlace {
  readonly folder: Key;
  readonly name: Name;
}

/** A search in the order of a list. */
export interface RankedSearch extends Search<ListPosition> {
  readonly filter?: SearchFilter | undefined;
  readonly order: Pick<Page, "orderBy" | "direction">;
}

/** A file or folder that a search has found. */
export interface SearchHit<R, Place> {
  /** The place at which the search found it. The next page continues after this place, whatever becomes of the hit. */
  readonly place: Place;
  /** undefined: it has been deleted, or moved to where the caller does not see it, since the search found it. */
  readonly record: R | undefined;
}

export type CountedFolders = Found;

export interface CountedFiles extends Found {
  readonly filter?: SearchFilter | undefined;
}
