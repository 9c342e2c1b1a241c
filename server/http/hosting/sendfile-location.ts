import { join } from "node:path";
import type { BlobInspection } from "../../blobs/port.ts";
import type { DeliveryMode } from "../../semantics/plan-delivery.ts";
import type { SendfileHeader } from "./accel-redirect.ts";

export interface SendfileOptions {
  readonly delivery: DeliveryMode;
  /** Path of nginx's internal location, with a slash at both ends. */
  readonly deliveryPrefix: string;
  /** The folder of the blobs. */
  readonly blobsPath: string;
  readonly blobs: Pick<BlobInspection, "placeOf">;
}

/** The header that tells the proxy where a file's blob is; null: the server sends it itself. */
export function sendfileLocation({
  delivery,
  deliveryPrefix,
  blobsPath,
  blobs,
}: SendfileOptions): SendfileHeader | null {
  if (delivery === "x-accel") {
    return ({ blobId }) => ["X-Accel-Redirect", `${deliveryPrefix}${blobs.placeOf(blobId)}`];
  }
  if (delivery === "x-sendfile") {
    return ({ blobId }) => ["X-Sendfile", join(blobsPath, blobs.placeOf(blobId))];
  }
  return null;
}
