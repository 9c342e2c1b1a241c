import type { SearchPage } from "../../contract/types.ts";
import { eachPage } from "./each-page.ts";
import type { CallOptions } from "./options.ts";
import type { Transport } from "./transport.ts";

export interface SearchOptions extends CallOptions {
  /** Searches this folder and its subfolders. Default: all folders. */
  readonly folderId?: string | undefined;
  /** Maximum number of results per page, from 1 to 200. Default: 50. */
  readonly limit?: number | undefined;
  /** The `nextCursor` of the previous page. Default: the first page. */
  readonly cursor?: string | undefined;
}

/** Finds files and folders by a part of their names, in upper or lower case. */
export interface Search {
  search(text: string, options?: SearchOptions): Promise<SearchPage>;
  /** All pages, each requested when it is needed. */
  searchPages(text: string, options?: SearchOptions): AsyncGenerator<SearchPage, void>;
}

export function createSearch(transport: Transport): Search {
  const search: Search["search"] = (q, { signal, ...query } = {}) =>
    transport.json({ method: "GET", path: "/api/search", query: { q, ...query }, signal });
  return {
    search,
    searchPages: (text, options = {}) => eachPage((page) => search(text, page), options),
  };
}
