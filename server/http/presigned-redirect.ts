import type { BlobLinks } from "../blobs/port.ts";
import type { PresignedRedirect } from "./delivery.ts";

/** How long an address holds that a client is sent on to. */
const LINK_SECONDS = 60;

/** Sends clients on to the store, with the headers that they would have had from here. */
export function presignedRedirect(links: BlobLinks): PresignedRedirect {
  return ({ blobId }, headers) =>
    links.linkTo(blobId, {
      seconds: LINK_SECONDS,
      contentType: headers["Content-Type"] ?? "application/octet-stream",
      disposition: headers["Content-Disposition"] ?? "attachment",
      cacheControl: headers["Cache-Control"] ?? "private, no-store",
    });
}
