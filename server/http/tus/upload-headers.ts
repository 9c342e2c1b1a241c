import type { Operation } from "../../../contract/operation.ts";
import { Fault } from "../../domain/faults/fault.ts";
import type { HeaderFields } from "../connection/reply.ts";

export const TUS_VERSION = "1.0.0";

/** What scripts of other origins may read of a response. */
const EXPOSED = [
  ...["Location", "Retry-After", "Content-Location", "ETag", "Repr-Digest", "Holdall-File"],
  ...["Tus-Resumable", "Tus-Version", "Tus-Extension", "Tus-Max-Size", "Tus-Checksum-Algorithm"],
  ...["Upload-Offset", "Upload-Length", "Upload-Defer-Length", "Upload-Metadata"],
  ...["Upload-Expires", "Upload-Complete", "Upload-Limit", "X-Request-Id"],
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

/**
 * Fault "precondition_failed": the client speaks another version of tus. Clients of the IETF draft, and
 * all others, leave the header out.
 */
export function checkTusVersion({ method, headers }: Request): void {
  const version = headers.get("tus-resumable");
  if (version === null || version === TUS_VERSION || method === "OPTIONS") return;
  throw new Fault(
    "precondition_failed",
    `This server speaks version ${TUS_VERSION} of tus: send \`Tus-Resumable: ${TUS_VERSION}\`.`,
    { code: "unsupported_version" },
  );
}

/** The method that a client of tus means if it cannot send it. */
export function tusMethod(
  { method, headers }: Request,
  methods: Readonly<Record<string, Operation>>,
): string {
  const meant = headers.get("x-http-method-override")?.toUpperCase() ?? method;
  return method === "POST" && methods[meant]?.tus === true ? meant : method;
}
