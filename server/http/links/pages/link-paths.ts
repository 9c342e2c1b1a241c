import type { Key } from "../../../domain/records.ts";

/** URLs relative to the page, so that they also work under a path prefix of a proxy. */
export interface LinkPaths {
  /** A file of this server that is no part of the shared content. */
  site(path: string): string;
  /** The first page of the link. */
  root(query?: string): string;
  file(path: Key, query?: string): string;
  /** The empty path is the shared folder itself. */
  folder(path: Key, query?: string): string;
}

/** The paths in a page at `/s/TOKEN` and as many slashes after the token as `depth`. */
export function createLinkPaths(token: string, depth: number): LinkPaths {
  const up = "../".repeat(depth);
  const root = `${up}${encodeURIComponent(token)}`;
  const withQuery = (path: string, query: string | undefined): string =>
    query === undefined ? path : `${path}?${query}`;
  return {
    site: (path) => `${up}../${path}`,
    root: (query) => withQuery(root, query),
    file: (path, query) => withQuery(`${root}/${encodePath(path)}`, query),
    folder: (path, query) => withQuery(path === "" ? root : `${root}/${encodePath(path)}/`, query),
  };
}

export const encodePath = (key: Key): string => encodeURIComponent(key).replaceAll("%2F", "/");
