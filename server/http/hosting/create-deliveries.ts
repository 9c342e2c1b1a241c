import type { Settings } from "../../settings/settings.ts";
import type { SiteOptions, SiteServices } from "../site-services.ts";
import { accelRedirect } from "./accel-redirect.ts";
import { createDeliver, type Deliver, type DeliveryDeps } from "./deliver.ts";
import { createPresignedRedirect } from "./presigned-redirect.ts";
import { sendfileLocation } from "./sendfile-location.ts";

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
