import type { BlobPresigner } from "../blobs/port.ts";
import type { PresignedRedirect } from "./delivery.ts";

/** Validity of the presigned URLs. */
const LINK_SECONDS = 60;

/** Redirects clients to presigned URLs of the store, which sends the headers that we would send. */
export function presignedRedirect(links: BlobPresigner): PresignedRedirect {
  return ({ blobId }, headers) =>
    links.presignedUrl(blobId, {
      seconds: LINK_SECONDS,
      contentType: headers["Content-Type"] ?? "application/octet-stream",
      disposition: headers["Content-Disposition"] ?? "attachment",
      cacheControl: headers["Cache-Control"] ?? "private, no-store",
    });
}
