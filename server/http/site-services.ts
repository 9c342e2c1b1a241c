import type { Access } from "../access/access.ts";
import type { Oidc } from "../access/oidc/oidc.ts";
import type { Sealer } from "../access/sealer.ts";
import type { BlobInspection, BlobPresigner } from "../blobs/port.ts";
import type { Millis } from "../domain/records.ts";
import type { Signer } from "../domain/tokens/signature.ts";
import type { Feed } from "../feed/feed.ts";
import type { Fetches } from "../fetches/fetches.ts";
import type { FindCharset } from "../files/charsets.ts";
import type { Files } from "../files/files.ts";
import type { Health } from "../health/health.ts";
import type { IsReady } from "../health/readiness.ts";
import type { Images } from "../images/images.ts";
import type { Insight } from "../insight/insight.ts";
import type { LimitName, RateLimit } from "../limits/port.ts";
import type { Links } from "../links/links.ts";
import type { RequestObserver } from "../metrics/observe-requests.ts";
import type { Objects } from "../objects/objects.ts";
import type { DeliveryMode } from "../semantics/plan-delivery.ts";
import type { Settings } from "../settings/settings.ts";
import type { Uploads } from "../uploads/uploads.ts";
import type { Webhooks } from "../webhooks/webhooks.ts";
import type { RenderText } from "./links/render-text.ts";

/** Dependencies of the site. */
export interface SiteServices
  extends Pick<Insight, "activity" | "traffic" | "fileTraffic" | "keyTraffic" | "overview"> {
  readonly files: Files;
  readonly findCharset: FindCharset;
  readonly uploads: Uploads;
  readonly objects: Objects;
  readonly images: Images;
  readonly feed: Feed;
  readonly access: Access;
  /** null: the server has no provider to sign in with. */
  readonly oidc: Oidc | null;
  readonly signer: Signer;
  /** The clock that expiries count by. */
  readonly now: () => Millis;
  /** For cursors of the change feed. */
  readonly cursorSealer: Sealer;
  readonly settings: Settings;
  readonly health: Health;
  readonly blobs: Pick<BlobInspection, "placeOf">;
  /** null: clients cannot download from the blob store. */
  readonly presigner: BlobPresigner | null;
  readonly links: Links;
  readonly renderText: RenderText;
  readonly webhooks: Webhooks;
  readonly fetches: Fetches;
  readonly isReady: IsReady;
  readonly limits: Readonly<Record<LimitName, RateLimit>>;
}

export interface SiteOptions {
  /** Without a trailing slash; null: the URL of each request. */
  readonly publicUrl: string | null;
  /** Whether a password signs in. */
  readonly passwordSignIn: boolean;
  readonly delivery: DeliveryMode;
  readonly deliveryPrefix: string;
  /** The folder of the blobs, for a proxy that sends them. */
  readonly blobsPath: string;
  readonly trustedProxies: readonly string[];
  /** null: the S3 API has no host of its own. */
  readonly s3ApiDomain: string | null;
  /** See `S3Deps`. */
  readonly corsByDefault: boolean;
  /** See `S3Deps`. */
  readonly acceptsEncryption: boolean;
  readonly version: string;
  /** undefined: requests are neither counted nor logged. */
  readonly observer: RequestObserver | undefined;
  readonly onError: (message: string, cause: unknown, requestId?: string) => void;
}
