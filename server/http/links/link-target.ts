import type { BunRequest } from "bun";
import { hostingKey } from "../../rules/hosting-key.ts";
import { ROOT_KEY } from "../../rules/name.ts";
import type { Key } from "../../rules/records.ts";
import { createLinkPaths, type LinkPaths } from "./pages/link-paths.ts";

/** What a URL below `/s/` names. */
export interface LinkTarget {
  readonly token: string;
  /** Below what is shared, "" for itself; undefined: no file or folder can have it. */
  readonly path: Key | undefined;
  /** The path ends with a slash. */
  readonly isFolder: boolean;
  readonly query: URLSearchParams;
  /** For links in its page. */
  readonly paths: LinkPaths;
}

/**
 * Reads the raw path as hosting does: nothing is normalized. `isFolder`: of the route that matched.
 */
export function readTarget(request: BunRequest, isFolder: boolean): LinkTarget {
  const [token = "", ...segments] = Object.values(request.params);
  const { url } = request;
  const start = url.indexOf("?");
  const path = start < 0 ? url : url.slice(0, start);
  return {
    token,
    isFolder: isFolder && segments.length > 0,
    path:
      segments.length === 0
        ? ROOT_KEY
        : hostingKey(segments, isFolder ? path.replace(/\/$/, "") : path),
    query: new URLSearchParams(start < 0 ? "" : url.slice(start + 1)),
    paths: createLinkPaths(token, segments.length + (isFolder ? 1 : 0)),
  };
}
