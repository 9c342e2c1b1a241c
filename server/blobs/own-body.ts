import type { BlobBody, BorrowedBody } from "./port.ts";

/** Copies borrowed bytes, so that they stay. */
export const ownBody = (body: BorrowedBody | undefined): BlobBody | undefined =>
  body instanceof Uint8Array ? new Blob([body]) : body;
