import type { BlobPresigner } from "../blobs/port.ts";
import { fileHeaders } from "../rules/plan-delivery.ts";
import type { FileRecord } from "../rules/records.ts";
import type { HeaderFields } from "./reply.ts";

/** Redirects a client to the store (302). `planned` are the headers that this server would send. */
export type PresignedRedirect = (file: FileRecord, planned: HeaderFields) => Response;

/** Validity of the presigned URLs. */
const VALID_SECONDS = 60;

/** Redirects to presigned URLs of the store, which sends the file with the planned headers. */
export function createPresignedRedirect(store: BlobPresigner): PresignedRedirect {
  return ({ blobId }, planned) => {
    const url = store.presignedUrl(blobId, {
      seconds: VALID_SECONDS,
      contentType: planned["Content-Type"] ?? "application/octet-stream",
      disposition: planned["Content-Disposition"] ?? "attachment",
      cacheControl: planned["Cache-Control"] ?? "private, no-store",
      contentLanguage: planned["Content-Language"],
      contentEncoding: planned["Content-Encoding"],
    });
    return redirectTo(url, planned);
  };
}

/** The presigned URL expires soon, so the redirect must not be cached. */
function redirectTo(location: string, planned: HeaderFields): Response {
  const origin = planned["Access-Control-Allow-Origin"];
  return new Response(null, {
    status: 302,
    headers: {
      ...fileHeaders,
      "Cache-Control": "private, no-store",
      "Referrer-Policy": "no-referrer",
      ...(origin === undefined ? {} : { "Access-Control-Allow-Origin": origin }),
      Location: location,
    },
  });
}
