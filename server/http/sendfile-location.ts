import { join } from "node:path";
import type { BlobInspection } from "../blobs/port.ts";
import type { Config } from "../config/config.ts";
import type { DataFolder } from "../instance/data-folder.ts";
import type { WhereForProxy } from "./accel-redirect.ts";

/** What the proxy is told that the configuration says is in front; null: none that sends bytes. */
export function placeForProxy(
  { delivery, deliveryPrefix }: Config,
  folder: DataFolder,
  blobs: BlobInspection,
): WhereForProxy | null {
  if (delivery === "x-accel") {
    return ({ blobId }) => ["X-Accel-Redirect", `${deliveryPrefix}${blobs.placeOf(blobId)}`];
  }
  if (delivery === "x-sendfile") {
    return ({ blobId }) => ["X-Sendfile", join(folder.blobs, blobs.placeOf(blobId))];
  }
  return null;
}
