import type { OrderBy, OrderDirection, Visibility } from "../../../contract/api.ts";
import type { Included } from "../../../contract/include.ts";
import { call, type Data } from "../connection/call.ts";
import { eachPage } from "../connection/each-page.ts";
import { flag } from "../connection/flag.ts";
import type { CallOptions } from "../connection/options.ts";
import type { Transport } from "../connection/transport.ts";

/** `total`: the number of results on all pages; null: not asked for. */
export type SearchPage = Data<"search">;

export interface SearchOptions extends CallOptions {
  /** Searches this folder and its subfolders. Default: all folders. */
  readonly folderId?: string | undefined;
  /** Only files of this media type, or of a group such as `image/*`. With this or another filter, no folders are found. */
  readonly type?: string | undefined;
  readonly visibility?: Visibility | undefined;
  /** In bytes, inclusive. */
  readonly minSize?: number | undefined;
  readonly maxSize?: number | undefined;
  /** Only files that were changed at this time or later. */
  readonly updatedSince?: Date | undefined;
  /** Only files that were changed before this time. */
  readonly updatedUntil?: Date | undefined;
  /** Sorts the files. Default: by the key of their folder and their name, which is the fastest. */
  readonly orderBy?: OrderBy | undefined;
  /** Only with `orderBy`. Default: `DESC`. */
  readonly orderDirection?: OrderDirection | undefined;
  /** Counts the results of all pages, up to 10,000. `searchPages` counts them for its first page only. */
  readonly includeTotal?: boolean | undefined;
  /** Adds `sha256`, `metadata`, `etag` or `lastingUrl` to each file. */
  readonly include?: readonly Included[] | undefined;
  /** Maximum number of results per page, from 1 to 1,000. Default: 50. */
  readonly limit?: number | undefined;
  /** The `nextCursor` of the previous page. Default: the first page. */
  readonly cursor?: string | undefined;
}

/**
 * Finds files and folders by a part of their names, in upper or lower case, with or without accents. With
 * `*`, by the whole name: `*.pdf`.
 */
export interface Search {
  search(text: string, options?: SearchOptions): Promise<SearchPage>;
  /** All pages, each requested when it is needed. */
  searchPages(text: string, options?: SearchOptions): AsyncGenerator<SearchPage, void>;
}

export function createSearch(transport: Transport): Search {
  const search: Search["search"] = (q, { signal, ...options } = {}) => {
    const { updatedSince, updatedUntil, includeTotal, ...rest } = options;
    const query = {
      ...rest,
      q,
      updatedSince: updatedSince?.toISOString(),
      updatedUntil: updatedUntil?.toISOString(),
      includeTotal: flag(includeTotal),
    };
    return call(transport, "search", { query, signal });
  };
  return {
    search,
    searchPages(text, { includeTotal, ...options } = {}) {
      let counts = includeTotal;
      return eachPage((page) => {
        const found = search(text, { ...page, includeTotal: counts });
        counts = undefined;
        return found;
      }, options);
    },
  };
}
