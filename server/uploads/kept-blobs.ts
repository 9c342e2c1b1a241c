import type { GrowingBlob } from "../blobs/port.ts";
import { createKeptBriefly, type KeptBriefly } from "./kept-briefly.ts";

/**
 * Growing blobs that stay open between two requests to an upload whose claim this process holds: the
 * next chunk usually follows at once, and opening a file takes as long as storing a megabyte. The first bytes of a kept
 * blob, as many as its position says, and no others are durable and recorded. Who takes a blob closes it.
 */
export type KeptBlobs = KeptBriefly<GrowingBlob>;

/** Each one has a descriptor. */
const MAX_BLOBS = 64;
const KEPT_MS = 2000;

export const createKeptBlobs = (): KeptBlobs =>
  createKeptBriefly({ maxUploads: MAX_BLOBS, keptMs: KEPT_MS, end: (blob) => blob.close() });
