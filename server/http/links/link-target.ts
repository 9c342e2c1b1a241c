import { hostingKey } from "../../domain/names/hosting-key.ts";
import { ROOT_KEY } from "../../domain/names/name.ts";
import type { Key } from "../../domain/records.ts";
import type { BunRequest } from "../../runtime/serve.ts";
import { createLinkPaths, type LinkPaths } from "./pages/link-paths.ts";

/** What a URL below `/s/` names. */
export interface LinkTarget {
  readonly token: string;
  /** Below what is shared, "" for itself; undefined: no file or folder can have it. */
  readonly path: Key | undefined;
  /** The path ends with a slash. */
  readonly isFolder: boolean;
  readonly query: URLSearchParams;
  /** The paths for links in its page. */
  readonly paths: LinkPaths;
}

/** The kinds of routes: the last one is for paths with an empty segment, and for those that are too long. */
export type LinkRouteKind = "file" | "folder" | "unknown";

/** Reads the raw path as hosting does. `kind`: of the route that matched. */
export function readTarget(request: BunRequest, kind: LinkRouteKind): LinkTarget {
  const isFolder = kind === "folder";
  const [token = "", ...segments] = Object.values(request.params);
  const { url } = request;
  const start = url.indexOf("?");
  const path = start < 0 ? url : url.slice(0, start);
  return {
    token,
    isFolder: isFolder && segments.length > 0,
    path:
      kind === "unknown" ? undefined : keyIn(segments, isFolder ? path.replace(/\/$/, "") : path),
    query: new URLSearchParams(start < 0 ? "" : url.slice(start + 1)),
    paths: createLinkPaths(token, depthOf(path)),
  };
}

const keyIn = (segments: readonly string[], path: string): Key | undefined =>
  segments.length === 0
    ? ROOT_KEY
    : segments.includes(".")
      ? undefined
      : hostingKey(segments, path);

/**
 * The number of slashes after the token, as the browser sees the URL. Without a `Host` the URL is only the
 * path.
 */
const depthOf = (url: string): number =>
  Math.max(0, new URL(url, "http://localhost").pathname.split("/").length - 3);
