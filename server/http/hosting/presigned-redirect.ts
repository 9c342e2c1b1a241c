import type { BlobPresigner } from "../../blobs/port.ts";
import type { FileRecord } from "../../domain/records.ts";
import { type DeliveryOptions, fileHeaders } from "../../semantics/plan-delivery.ts";
import type { HeaderFields } from "../connection/reply.ts";

/** Redirects a client to the store (302). `plan` returns the headers that this server would send. */
export type PresignedRedirect = (
  file: FileRecord,
  options: DeliveryOptions,
  plan: () => HeaderFields,
) => Response;

/** Validity of the presigned URLs. */
const VALID_SECONDS = 60;
/** How long requests share a signed URL. Signing takes longer than the rest of the response. */
const REUSE_MS = 10_000;

interface SignedRedirect extends DeliveryOptions {
  readonly signedAt: number;
  readonly headers: Headers;
}

/** Redirects to presigned URLs of the store, which sends the file with the planned headers. */
export function createPresignedRedirect(store: BlobPresigner): PresignedRedirect {
  const latest = new WeakMap<FileRecord, SignedRedirect>();

  function sign(
    { blobId }: FileRecord,
    planned: HeaderFields,
    endsIn: number | undefined,
  ): Headers {
    const url = store.presignedUrl(blobId, {
      // The URL must not give access to the file after the file has ended.
      seconds: Math.max(1, Math.min(VALID_SECONDS, endsIn ?? VALID_SECONDS)),
      contentType: planned["Content-Type"] ?? "application/octet-stream",
      disposition: planned["Content-Disposition"] ?? "attachment",
      cacheControl: planned["Cache-Control"] ?? "private, no-store",
      contentLanguage: planned["Content-Language"],
      contentEncoding: planned["Content-Encoding"],
    });
    return redirectTo(url, planned);
  }

  return (file, { disposition, cacheMaxAge, urlKind, endsIn }, plan) => {
    const now = performance.now();
    const last = latest.get(file);
    if (
      last !== undefined &&
      now - last.signedAt < REUSE_MS &&
      last.disposition === disposition &&
      last.cacheMaxAge === cacheMaxAge &&
      last.urlKind === urlKind &&
      last.endsIn === endsIn
    ) {
      return new Response(null, { status: 302, headers: last.headers });
    }
    const headers = sign(file, plan(), endsIn);
    latest.set(file, { disposition, cacheMaxAge, urlKind, endsIn, signedAt: now, headers });
    return new Response(null, { status: 302, headers });
  };
}

/** The presigned URL expires soon, so the redirect must not be cached. */
function redirectTo(location: string, planned: HeaderFields): Headers {
  const origin = planned["Access-Control-Allow-Origin"];
  return new Headers({
    ...fileHeaders,
    "Cache-Control": "private, no-store",
    "Referrer-Policy": "no-referrer",
    ...(origin === undefined ? {} : { "Access-Control-Allow-Origin": origin }),
    Location: location,
  });
}
