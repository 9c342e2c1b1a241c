import { openApiDocument } from "../../contract/openapi.ts";
import type { Access } from "../access/access.ts";
import type { Sealer } from "../access/sealer.ts";
import type { BlobInspection, BlobPresigner } from "../blobs/port.ts";
import { basePath } from "../domain/base-path.ts";
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
import { threadSlices } from "../lib/time-slices.ts";
import type { LimitName, RateLimit } from "../limits/port.ts";
import { createClientAddress, createIsTrustedProxy } from "../limits/trusted-proxies.ts";
import type { Links } from "../links/links.ts";
import type { RequestObserver } from "../metrics/observe-requests.ts";
import type { Objects } from "../objects/objects.ts";
import type { DeliveryMode } from "../semantics/plan-delivery.ts";
import type { Settings } from "../settings/settings.ts";
import type { Uploads } from "../uploads/uploads.ts";
import type { Webhooks } from "../webhooks/webhooks.ts";
import { auditOperations } from "./api/audit-operations.ts";
import { checkPermissions } from "./api/check-permissions.ts";
import { createDescribeFiles } from "./api/describe-file.ts";
import { answerDryRuns } from "./api/dry-runs.ts";
import { accountHandlers } from "./api/handlers/account.ts";
import { batchHandlers } from "./api/handlers/batches.ts";
import { changeHandlers } from "./api/handlers/changes.ts";
import { fetchHandlers } from "./api/handlers/fetches.ts";
import { fileHandlers } from "./api/handlers/files.ts";
import { folderHandlers } from "./api/handlers/folders.ts";
import type { UntypedHandlers } from "./api/handlers/handler.ts";
import { healthHandlers } from "./api/handlers/health.ts";
import { insightHandlers } from "./api/handlers/insight.ts";
import { keyHandlers } from "./api/handlers/keys.ts";
import { linkHandlers } from "./api/handlers/links.ts";
import { passkeyHandlers } from "./api/handlers/passkeys.ts";
import { quotaHandlers } from "./api/handlers/quotas.ts";
import { searchHandlers } from "./api/handlers/search.ts";
import { secondFactorHandlers } from "./api/handlers/second-factor.ts";
import { serviceHandlers } from "./api/handlers/service.ts";
import { settingsHandlers } from "./api/handlers/settings.ts";
import { trashHandlers } from "./api/handlers/trash.ts";
import { uploadHandlers } from "./api/handlers/uploads.ts";
import { versionHandlers } from "./api/handlers/versions.ts";
import { webhookHandlers } from "./api/handlers/webhooks.ts";
import { brandOf } from "./brand/brand.ts";
import { brandRoutes } from "./brand/brand-routes.ts";
import { createDownloadLog, type DownloadLog } from "./connection/download-log.ts";
import { createGate } from "./connection/gate.ts";
import { createObserve, createS3OperationNames } from "./connection/observed.ts";
import { createRequestKeys } from "./connection/request-keys.ts";
import { createRequestTraffic, type RequestTraffic } from "./connection/request-traffic.ts";
import type { Meter } from "./connection/route.ts";
import { createTurns } from "./connection/turns.ts";
import { accelRedirect } from "./hosting/accel-redirect.ts";
import { createDeliver, type Deliver, type DeliveryDeps } from "./hosting/deliver.ts";
import { createDeliverVariant } from "./hosting/deliver-variant.ts";
import { createHost } from "./hosting/hosting.ts";
import { createLastingUrls, type LastingUrls } from "./hosting/lasting-urls.ts";
import { createPresignedRedirect } from "./hosting/presigned-redirect.ts";
import { createSendArchive, type SendArchive } from "./hosting/send-archive.ts";
import { createSendFile } from "./hosting/send-file.ts";
import { sendfileLocation } from "./hosting/sendfile-location.ts";
import type { RenderText } from "./links/render-text.ts";
import { createServeLink } from "./links/serve-link.ts";
import { defaultLimits, type MultipartLimits } from "./multipart/limits.ts";
import { createDashboardAssets } from "./pages/dashboard-assets.ts";
import { pages } from "./pages/pages.ts";
import { createS3Site } from "./s3/serve-s3.ts";
import { type Address, type HttpServer, listen } from "./server.ts";

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

/** The kernel takes shorter files at once. */
const WATCHED_BYTES = 64 * 1024;

/** Parts allowed in addition to the files: fields, and one excess file, which gets a clear error. */
const EXTRA_PARTS = 32;

/** Serves the API, the hosted files and the dashboard. Throws the runtime's error when it cannot listen. */
export function serveSite(
  services: SiteServices,
  options: SiteOptions,
  address: Address,
): HttpServer {
  const { access, settings, files, signer, now } = services;
  const { publicUrl, onError } = options;
  const requestKeys = createRequestKeys();
  const gate = createGate({
    requestKeys,
    authenticate: access.authenticate,
    clientAddress: createClientAddress(options.trustedProxies),
    isTrustedProxy: createIsTrustedProxy(options.trustedProxies),
    limits: services.limits,
    publicOrigin: originOf(publicUrl),
    turns: createTurns({ slices: threadSlices }),
  });
  const { keyTraffic } = services;
  const traffic = createRequestTraffic({
    traffic: services.traffic,
    fileTraffic: services.fileTraffic,
    keyTraffic,
    requestKeys,
    identify: gate.identify,
  });
  const keyMeter: Meter = (status, request) => {
    const key = requestKeys.of(request);
    if (key !== undefined) keyTraffic.countRequest(key, status);
  };
  let server: HttpServer | undefined;
  const pendingRequests = (): number => server?.pendingRequests() ?? 0;
  const watchReader = (request: Request): void => server?.watchReader(request);
  const countedBy = (count: DeliveryDeps["onSend"]): Delivery => {
    const onSend: DeliveryDeps["onSend"] = (bytes, request, file) => {
      if (bytes > WATCHED_BYTES) watchReader(request);
      count(bytes, request, file);
    };
    const send = createSendFile({ borrowBytes: files.borrow, onSend, pendingRequests });
    return { send, onSend, findCharset: services.findCharset };
  };
  const downloads = createDownloadLog({
    isOn: () => settings.current().logDownloads,
    activity: services.activity,
    actorOf: requestKeys.actorOf,
    clientOf: (request) => server?.clientOf(request) ?? "",
  });
  const countFile: DeliveryDeps["onSend"] = (bytes, request, file) => {
    traffic.countFile(bytes, request, file);
    downloads.recordFile(bytes, request, file);
  };
  const delivery = countedBy(countFile);
  const deliver = createDelivery(services, options, delivery);
  const versions = countedBy((bytes, request, file) => {
    traffic.countBytes(bytes, request);
    downloads.recordFile(bytes, request, file);
  });
  const deliverVersion = createDelivery(services, options, versions);
  const requests = createRequestParts(services, options, { traffic, downloads, pendingRequests });
  const brand = () => brandOf(settings);
  const assets = createDashboardAssets(basePath(publicUrl));
  const s3Operations = createS3OperationNames();
  const { observer } = options;
  let document: string | undefined;
  const openApi = (): string => {
    document ??= JSON.stringify(openApiDocument({ version: options.version }));
    return document;
  };
  const onSendVariant: DeliveryDeps["onSend"] = (bytes, request, file) =>
    isThumbnail(request)
      ? traffic.countFile(bytes, request, file)
      : countFile(bytes, request, file);
  const variants = {
    images: services.images,
    settings,
    now,
    onSend: countedBy(onSendVariant).onSend,
  };
  const lasting = createLastingUrls(settings);
  const sharedDelivery = createSharedDelivery(services, options, delivery);
  server = listen(
    {
      gate,
      freshSettings: settings.fresh,
      explainNoSpace: files.explainNoSpace,
      meter: traffic.countRequest,
      keyMeter,
      watchReader,
      handlers: createHandlers(services, options, {
        deliver,
        deliverVersion,
        noteVersion: downloads.noteVersion,
        openApi,
        lastingUrlOf: lasting.urlOf,
        ...requests,
      }),
      host: createHost({
        lasting,
        files,
        signer,
        now,
        deliver,
        identify: gate.identify,
        deliverVariant: createDeliverVariant({ ...variants, deliver }),
      }),
      pages: pages(openApi, assets.guides),
      dashboard: { assets, hasSession: gate.hasSession, brand, freshSettings: settings.fresh },
      brand,
      brandRoutes: brandRoutes(settings),
      serveLink: createServeLink({
        links: services.links,
        batches: services.uploads.batches,
        publicUrl,
        ...requests,
        noteVisitor: downloads.noteVisitor,
        readBytes: files.read,
        renderText: services.renderText,
        activity: services.activity,
        basePath: basePath(publicUrl),
        deliver: sharedDelivery,
        deliverVariant: createDeliverVariant({ ...variants, deliver: sharedDelivery }),
        brand,
        uploadLimits: () => ({
          maxFileBytes: settings.current().maxUploadSize,
          maxFormFiles: settings.current().maxFilesPerRequest,
        }),
        dropScript: () => assets.scriptName("drop-page"),
        viewerScript: () => assets.scriptName("document-viewer"),
      }),
      observe: observer && createObserve({ observer, gate, requestKeys, s3Operations }),
      s3: createS3Site({
        noteOperation: observer === undefined ? () => {} : s3Operations.note,
        files,
        gate,
        activity: services.activity,
        send: delivery.send,
        publicUrl,
        keyMeter,
        watchReader,
        access: access.s3,
        objects: services.objects,
        domain: options.s3ApiDomain,
        meter: services.traffic.countRequest,
        onSend: countFile,
        freshSettings: settings.fresh,
        isReady: services.isReady,
        corsByDefault: options.corsByDefault,
        acceptsEncryption: options.acceptsEncryption,
        onError: (error, requestId) => onError("Unexpected server error", error, requestId),
      }),
      mcp: {
        files,
        settings,
        publicUrl,
        version: options.version,
        onSend: countFile,
      },
      onError: (error, requestId) => onError("Unexpected server error", error, requestId),
    },
    address,
  );
  return server;
}

/** A page with a list of images asks for all of them in this size: nobody downloads them. */
const isThumbnail = ({ url }: Request): boolean => /[?&]size=small(?:&|$)/.test(url);

type Delivery = Pick<DeliveryDeps, "send" | "onSend" | "findCharset">;

/** Files are sent by this server, by the store after a redirect, or by the reverse proxy. */
function createDelivery(
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
 * As `createDelivery`, but what a page shows comes from this server: the page's Content-Security-Policy
 * forbids the store's address.
 */
function createSharedDelivery(
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

/** What requests for files and for links share. */
interface RequestDeps {
  readonly sendArchive: SendArchive;
  readonly multipartLimits: () => MultipartLimits;
}

interface RequestPartsDeps {
  readonly traffic: RequestTraffic;
  readonly downloads: Pick<DownloadLog, "recordZip">;
  readonly pendingRequests: () => number;
}

function createRequestParts(
  { settings }: SiteServices,
  { onError }: SiteOptions,
  { traffic, downloads, pendingRequests }: RequestPartsDeps,
): RequestDeps {
  const sendArchive = createSendArchive({
    onError: (error) => onError("Sending a zip archive failed", error),
    onSend: traffic.countBytes,
    pendingRequests,
  });
  return {
    multipartLimits: () => defaultLimits(2 * settings.current().maxFilesPerRequest + EXTRA_PARTS),
    async sendArchive(archive, request) {
      const response = await sendArchive(archive, request);
      downloads.recordZip(request, archive.name);
      return response;
    },
  };
}

interface HandlerDeps extends RequestDeps {
  readonly deliver: Deliver;
  /** Counts for no file: a version could not be listed among the most requested files. */
  readonly deliverVersion: Deliver;
  /** See `DownloadLog`. */
  readonly noteVersion: DownloadLog["noteVersion"];
  readonly openApi: () => string;
  readonly lastingUrlOf: LastingUrls["urlOf"];
}

function createHandlers(
  services: SiteServices,
  { publicUrl, version, onError }: SiteOptions,
  deps: HandlerDeps,
): UntypedHandlers {
  const { deliver, deliverVersion, noteVersion, openApi, lastingUrlOf } = deps;
  const { sendArchive, multipartLimits } = deps;
  const { files, access, settings, activity, overview, isReady } = services;
  const describeFiles = createDescribeFiles(lastingUrlOf);
  const uploadParts = {
    uploads: services.uploads,
    activity,
    multipartLimits,
    basePath: basePath(publicUrl),
    now: services.now,
    maxUploadSize: () => settings.current().maxUploadSize,
  };
  const secure = publicUrl?.startsWith("https:") ?? false;
  const maxDeleteBatch = () => settings.current().maxDeleteBatch;
  const handlers = {
    ...fileHandlers({
      files,
      deliver,
      sendArchive,
      multipartLimits,
      maxDeleteBatch,
      describeFiles,
      now: services.now,
    }),
    ...trashHandlers({ files, maxDeleteBatch }),
    ...versionHandlers({ files, deliver: deliverVersion, noteVersion, maxDeleteBatch }),
    ...uploadHandlers({ ...uploadParts, fetches: services.fetches }),
    ...fetchHandlers({
      fetches: services.fetches,
      fetchByKeys: () => services.settings.current().fetchByKeys,
    }),
    ...batchHandlers(uploadParts),
    ...folderHandlers(files, sendArchive, describeFiles),
    ...quotaHandlers(files),
    ...searchHandlers(files, describeFiles),
    ...changeHandlers({ feed: services.feed, files, cursorSealer: services.cursorSealer, onError }),
    ...keyHandlers({ ...access, keyTraffic: services.keyTraffic }),
    ...linkHandlers({ links: services.links, keys: access.keys, now: services.now }),
    ...webhookHandlers({ webhooks: services.webhooks, keys: access.keys }),
    ...accountHandlers({ ...access, secure }),
    ...passkeyHandlers({ ...access, secure, publicOrigin: originOf(publicUrl) }),
    ...secondFactorHandlers(access),
    ...insightHandlers({ activity, overview }),
    ...settingsHandlers(settings, services.images),
    ...serviceHandlers(openApi, isReady),
    ...healthHandlers({ health: services.health, settings, version }),
  };
  const checked = checkPermissions(handlers);
  const audited = auditOperations(checked, { activity, files, keys: access.keys });
  return answerDryRuns(audited, checked);
}

const originOf = (publicUrl: string | null): string | null =>
  publicUrl === null ? null : new URL(publicUrl).origin;
