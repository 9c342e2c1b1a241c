import type { Operation } from "../../../contract/operation.ts";
import type { HeaderFields } from "../connection/reply.ts";

export const TUS_VERSION = "1.0.0";

/** What scripts of other origins may read of a response. */
const EXPOSED = [
  ...["Location", "Retry-After", "Content-Location", "ETag", "Repr-Digest", "Holdall-File"],
  ...["Tus-Resumable", "Tus-Version", "Tus-Extension", "Tus-Max-Size", "Tus-Checksum-Algorithm"],
  ...["Upload-Offset", "Upload-Length", "Upload-Defer-Length", "Upload-Metadata"],
  ...["Upload-Expires", "Upload-Complete", "Upload-Limit"],
];

const TUS: HeaderFields = { "Tus-Resumable": TUS_VERSION, "Tus-Version": TUS_VERSION };

/** Pages of every origin may use a URL with a secret; without credentials, so no cookie counts. */
export const CORS: HeaderFields = {
  "Access-Control-Allow-Origin": "*",
  "Access-Control-Expose-Headers": EXPOSED.join(", "),
};

/** The headers of every response at a path with these operations; undefined: none. */
export function uploadHeaders(operations: readonly Operation[]): HeaderFields | undefined {
  const isTus = operations.some(({ tus }) => tus === true);
  const hasToken = operations.some(({ access }) => access === "token");
  return isTus || hasToken ? { ...(isTus ? TUS : {}), ...(hasToken ? CORS : {}) } : undefined;
}
