import { join } from "node:path";
import type { BlobInspection } from "../../blobs/port.ts";
import type { DeliveryMode } from "../../semantics/plan-delivery.ts";
import type { Settings } from "../../settings/settings.ts";
import type { SiteOptions, SiteServices } from "../site-services.ts";
import type { SendfileHeader } from "./accel-redirect.ts";
import { accelRedirect } from "./accel-redirect.ts";
import { createDeliver, type Deliver, type DeliveryDeps } from "./deliver.ts";
import { createPresignedRedirect } from "./presigned-redirect.ts";

export type Delivery = Pick<DeliveryDeps, "send" | "onSend" | "findCharset">;

/** Sends files from this server, or leaves that to the store with a redirect, or to the reverse proxy. */
export function createDelivery(
  { settings, presigner, blobs, now }: SiteServices,
  options: SiteOptions,
  delivery: Delivery,
): Deliver {
  const deliver = createDeliver({
    ...delivery,
    now,
    cacheMaxAge: cacheMaxAge(settings),
    presignedRedirect:
      presigner === null || options.delivery !== "redirect"
        ? null
        : createPresignedRedirect(presigner),
  });
  const header = sendfileLocation({ ...options, blobs });
  return header === null ? deliver : accelRedirect(deliver, header);
}

const cacheMaxAge = (settings: Settings) => (): number => settings.current().hostingCacheSeconds;

/**
 * Like `createDelivery`, but this server sends the files that a page shows: the page's Content-Security-Policy
 * forbids the store's address.
 */
export function createSharedDelivery(
  services: SiteServices,
  options: SiteOptions,
  delivery: Delivery,
): Deliver {
  const download = createDelivery(services, options, delivery);
  if (options.delivery !== "redirect") return download;
  const show = createDeliver({
    ...delivery,
    now: services.now,
    cacheMaxAge: cacheMaxAge(services.settings),
    presignedRedirect: null,
  });
  return (file, request, disposition, urlKind) =>
    (disposition === "inline" ? show : download)(file, request, disposition, urlKind);
}

interface SendfileOptions {
  readonly delivery: DeliveryMode;
  /** Path of nginx's internal location, with a slash at both ends. */
  readonly deliveryPrefix: string;
  /** The folder of the blobs. */
  readonly blobsPath: string;
  readonly blobs: Pick<BlobInspection, "placeOf">;
}

/** The header that tells the proxy where a file's blob is; null: the server sends it itself. */
function sendfileLocation({
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
