import { openApiDocument } from "../../contract/openapi.ts";
import { basePath } from "../domain/base-path.ts";
import { threadSlices } from "../lib/time-slices.ts";
import { createClientAddress, createIsTrustedProxy } from "../limits/trusted-proxies.ts";
import { createHandlers, type RequestDeps } from "./api/create-handlers.ts";
import { brandOf } from "./brand/brand.ts";
import { brandRoutes } from "./brand/brand-routes.ts";
import { createDownloadLog, type DownloadLog } from "./connection/download-log.ts";
import { createGate } from "./connection/gate.ts";
import { createObserve, createS3OperationNames } from "./connection/observed.ts";
import { publicOriginOf } from "./connection/public-origin.ts";
import { createRequestKeys } from "./connection/request-keys.ts";
import { createRequestTraffic, type RequestTraffic } from "./connection/request-traffic.ts";
import type { Meter } from "./connection/route.ts";
import { createRunOperation } from "./connection/run-operation.ts";
import { createTurns } from "./connection/turns.ts";
import {
  createDelivery,
  createSharedDelivery,
  type Delivery,
} from "./hosting/create-deliveries.ts";
import type { DeliveryDeps } from "./hosting/deliver.ts";
import { createDeliverVariant } from "./hosting/deliver-variant.ts";
import { createHost } from "./hosting/hosting.ts";
import { createLastingUrls } from "./hosting/lasting-urls.ts";
import { createMissingFile } from "./hosting/missing-file.ts";
import { createSendArchive } from "./hosting/send-archive.ts";
import { createSendFile } from "./hosting/send-file.ts";
import { createServeLink } from "./links/serve-link.ts";
import { defaultLimits } from "./multipart/limits.ts";
import { createDashboardAssets } from "./pages/dashboard-assets.ts";
import { pages } from "./pages/pages.ts";
import { createS3Site } from "./s3/serve-s3.ts";
import { type Address, type HttpServer, listen } from "./server.ts";
import type { SiteOptions, SiteServices } from "./site-services.ts";

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
    publicOrigin: publicOriginOf(publicUrl),
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
  const { explainNoSpace } = files;
  const run = createRunOperation({ activity: services.activity, explainNoSpace });
  const requests = createRequestDeps(services, options, { traffic, downloads, pendingRequests });
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
      meter: traffic.countRequest,
      keyMeter,
      watchReader,
      handlers: createHandlers(services, options, {
        deliver,
        deliverVersion,
        noteVersion: downloads.noteVersion,
        openApi,
        run,
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
      missingFile: createMissingFile(brand, basePath(publicUrl)),
      pages: pages(openApi, assets.guides),
      dashboard: {
        assets,
        hasSession: gate.hasSession,
        brand,
        signInMethods: {
          provider: services.oidc?.providerName ?? null,
          password: options.passwordSignIn,
        },
        freshSettings: settings.fresh,
      },
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
        viewerScript: assets.scriptName,
      }),
      observe: observer && createObserve({ observer, gate, requestKeys, s3Operations }),
      s3: createS3Site({
        noteOperation: observer === undefined ? () => {} : s3Operations.note,
        files,
        gate,
        runOperation: run,
        send: delivery.send,
        publicUrl,
        keyMeter,
        watchReader,
        access: access.s3,
        objects: services.objects,
        domain: options.s3ApiDomain,
        meter: services.traffic.countRequest,
        onSend: countFile,
        now,
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

interface RequestDepsSources {
  readonly traffic: RequestTraffic;
  readonly downloads: Pick<DownloadLog, "recordZip">;
  readonly pendingRequests: () => number;
}

function createRequestDeps(
  { settings }: SiteServices,
  { onError }: SiteOptions,
  { traffic, downloads, pendingRequests }: RequestDepsSources,
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
