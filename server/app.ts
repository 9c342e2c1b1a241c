import { createOidc } from "./access/oidc/oidc.ts";
import { createSealer } from "./access/sealer.ts";
import { givenDataPath } from "./config/command-line.ts";
import { isWeakS3Secret } from "./config/initial-s3.ts";
import { basePath } from "./domain/base-path.ts";
import { allows } from "./domain/callers/scope.ts";
import { createSigner } from "./domain/tokens/signature.ts";
import { createFeed } from "./feed/feed.ts";
import { createFetches } from "./fetches/fetches.ts";
import { createFindCharset } from "./files/charsets.ts";
import { createFiles } from "./files/files.ts";
import { volumeSpace } from "./fs/volume.ts";
import { createHealth } from "./health/health.ts";
import { createReadiness } from "./health/readiness.ts";
import { CURSOR_PURPOSE } from "./http/api/feed-cursors.ts";
import { describeChange } from "./http/api/handlers/changes.ts";
import { recordUpload } from "./http/api/record-upload.ts";
import { createTextRenderer } from "./http/links/render-text.ts";
import { serveSite } from "./http/serve-site.ts";
import type { HttpServer } from "./http/server.ts";
import { createImages, withVariants } from "./images/images.ts";
import { createVariantStore } from "./images/variant-store.ts";
import { createInsight } from "./insight/insight.ts";
import { createBackgroundJobs } from "./instance/background-jobs.ts";
import { createLogFailure } from "./instance/log-failure.ts";
import { readLoss } from "./instance/lost-records.ts";
import type { Instance } from "./instance/open-instance.ts";
import { noteOwner } from "./instance/predecessors.ts";
import { listQuarantine } from "./instance/quarantine.ts";
import { createTrustedClock } from "./instance/trusted-clock.ts";
import { chain } from "./lib/maybe-promise.ts";
import { rateKey } from "./limits/trusted-proxies.ts";
import { createFindVisitorScopes } from "./links/find-visitor-scopes.ts";
import { createLinks } from "./links/links.ts";
import type { Log } from "./log.ts";
import { createAccessLog } from "./metrics/access-log.ts";
import type { MetricsServer } from "./metrics/listen-metrics.ts";
import { serveMetrics } from "./metrics/metrics.ts";
import { createRequestObserver } from "./metrics/observe-requests.ts";
import { createRequestCounts } from "./metrics/request-counts.ts";
import { createObjects } from "./objects/objects.ts";
import { parseAllowed } from "./outgoing/allow-list.ts";
import { createOutgoing } from "./outgoing/outgoing.ts";
import { releaseMemory } from "./runtime/processes.ts";
import { sleep } from "./runtime/sleep.ts";
import { waitForCacheExpiry } from "./settings/stale-while-revalidate-cache.ts";
import { createUploads } from "./uploads/uploads.ts";
import { version } from "./version.ts";
import { WEBHOOK_PURPOSE } from "./webhooks/secrets-of.ts";
import { createWebhooks } from "./webhooks/webhooks.ts";
import type { Service } from "./workers/service.ts";
import type { SharedState } from "./workers/shared-state.ts";

/** Time beyond the grace period for closing. */
const CLOSE_MS = 4000;

/** Wires up the service, which does not listen yet. */
export async function createService(
  instance: Instance,
  log: Log,
  sharedState: SharedState,
): Promise<Service> {
  const { config, catalog, folder } = instance;
  const { metricsAddress } = config;
  const counts = metricsAddress === null ? undefined : createRequestCounts();
  const accessLog = config.accessLog
    ? createAccessLog(log.bindings(), basePath(config.publicUrl))
    : undefined;
  if (instance.isShared) noteOwner(folder, sharedState.workerId);
  const signer = createSigner(instance.secret());
  const onError = createLogFailure(log);
  const { blobs: openedBlobs, links: presigner } = await instance.openBlobs();
  const settings = await instance.openSettings(
    // The other servers of a shared catalog are unknown and cannot be notified.
    instance.isShared ? waitForCacheExpiry : sharedState.settingsChanged,
  );
  const variants = createVariantStore({
    folder: folder.variants,
    maxBytes: config.imageSpace,
    processes: config.workers,
    onError,
    minFreeSpace: () => settings.current().minFreeSpace,
  });
  const blobs = withVariants(openedBlobs, variants);
  const { flushPeers, throttle, limitStoreState } = sharedState;
  const access = instance.openAccess({
    clientKey: rateKey,
    throttle,
    flushPeers,
    requireSecondFactor: () => settings.current().requireSecondFactor,
  });
  const files = createFiles({
    catalog,
    blobs,
    signer,
    onError,
    lostRecords: instance.lostRecords,
    owner: sharedState.workerId,
    settings: settings.current,
    onDamage: ({ id, key, blobId }) => log.error({ id, key, blobId }, "damage: bytes are missing"),
  });
  const findCharset = createFindCharset({ blobs, ledger: catalog, onError });
  const images = createImages({
    store: config.imageSpace === 0 ? null : variants,
    withTemporaryFile: variants.withTemporaryFile,
    readBytes: files.read,
    ledger: catalog,
    processes: config.workers,
  });
  const texts = createTextRenderer();
  const storing = { catalog, blobs, storage: files.storage, settings: settings.current, onError };
  const uploads = createUploads({
    ...storing,
    scopesOf: createFindVisitorScopes({ catalog, scopesOf: access.findScopes }),
    maxOpen: config.maxOpenUploads,
    expiryMs: config.uploadExpiry,
    isOnlyProcess: sharedState.isOnlyProcess && !instance.isShared,
  });
  const links = createLinks({
    catalog,
    files,
    throttle,
    batches: uploads.batches,
    scopesOf: access.findScopes,
    passwords: access.passwords,
    clientKey: rateKey,
    maxLinkDays: () => settings.current().maxLinkDays,
    secret: instance.secret(),
    onError,
    flushPeers,
  });
  const objects = createObjects({ ...storing, maxOpenUploads: config.maxOpenUploads });
  const insight = createInsight({
    countSent: counts?.countSent,
    catalog,
    blobs,
    onError,
    flushPeers,
    activityRetentionDays: () => settings.current().activityRetentionDays,
  });
  const feed = createFeed({ catalog, onError });
  const cursorSealer = createSealer(instance.secret, CURSOR_PURPOSE);
  const outgoing = createOutgoing({
    allowed: config.outgoingAllow.flatMap((entry) => parseAllowed(entry) ?? []),
    userAgent: `Holdall/${version}`,
  });
  const { oidc: provider, publicUrl } = config;
  const oidc =
    provider === null || publicUrl === null
      ? null
      : createOidc({
          settings: provider,
          publicUrl,
          catalog,
          throttle,
          clientKey: rateKey,
          secret: instance.secret,
          now: catalog.now,
          // The operator has chosen where the provider is, perhaps in a private network.
          outgoing: createOutgoing({
            allowed: [hostAndPort(provider.issuer), ...config.outgoingAllow].flatMap(
              (entry) => parseAllowed(entry) ?? [],
            ),
            userAgent: `Holdall/${version}`,
          }),
          onError,
        });
  const webhooks = createWebhooks({
    catalog,
    feed,
    outgoing,
    sealer: createSealer(instance.secret, WEBHOOK_PURPOSE),
    // Grants allow no webhooks, so a member has no such scope.
    scopeOf: (maker) =>
      chain(access.findScopes(maker), (scopes) => scopes.find((scope) => allows(scope, "admin"))),
    describeChange: (change, reader) => describeChange(change, reader, cursorSealer),
    owner: sharedState.workerId,
    onError,
  });
  const fetches = createFetches({
    catalog,
    uploads,
    outgoing,
    onStored: (client, upload, file) => recordUpload(insight.activity, client, upload, file),
    onError,
  });
  const jobs = createBackgroundJobs({
    config,
    log,
    catalog,
    blobs,
    files,
    images,
    uploads,
    links,
    objects,
    feed,
    webhooks,
    fetches,
    settings,
    activity: insight.activity,
    clock: createTrustedClock({ catalog, log }),
    onStates: sharedState.noteJobs,
  });
  const health = createHealth({
    catalog,
    blobs,
    limitStoreState,
    dataPath: givenDataPath(config),
    readStatistics: insight.readStatistics,
    kinds: {
      catalog: config.catalog.driver,
      blobs: config.blobs.driver,
      redis: config.redis !== null,
    },
    workers: sharedState.workerCounts,
    jobs: sharedState.jobs,
    volume: () => volumeSpace(folder.path),
    quarantine: () => listQuarantine(folder.path),
    lostRecords: () => readLoss(folder.path),
    schedule: { every: config.scrubEvery, rate: config.scrubRate },
    startScrub: async () => {
      await Promise.all([jobs.startScrub(), sharedState.scrubNow()]);
    },
  });
  let server: HttpServer | undefined;
  let metrics: MetricsServer | undefined;
  let isStopping = false;
  let lastProbe = Number.NEGATIVE_INFINITY;

  async function closeServices(): Promise<void> {
    // First what is recorded in the catalog.
    await fetches.close();
    await Promise.all([insight.close(), links.close(), metrics?.stop()]);
    accessLog?.close();
    await Promise.all([jobs.stop(), webhooks.sender.stop()]);
    await uploads.close();
    await objects.close();
    await Promise.all([images.close(), texts.close()]);
    await files.close();
  }

  return {
    access,
    listen(ports, sharing) {
      // About 2 of 80 MB, before the first request: the collection holds up others for 14 ms, under load 60.
      releaseMemory();
      const isReady = createReadiness({
        catalog,
        blobs,
        limitStoreState,
        isStopping: () => isStopping,
      });
      server = serveSite(
        {
          findCharset,
          files,
          uploads,
          links,
          renderText: texts.renderText,
          objects,
          images,
          feed,
          access,
          oidc,
          signer,
          now: catalog.now,
          settings,
          health,
          webhooks,
          fetches,
          cursorSealer,
          ...insight,
          blobs,
          presigner,
          limits: sharedState.limits,
          isReady() {
            lastProbe = performance.now();
            return isReady();
          },
        },
        {
          ...config,
          blobsPath: folder.blobs,
          version,
          observer:
            counts === undefined && accessLog === undefined
              ? undefined
              : createRequestObserver({ counts, accessLog }),
          onError,
          corsByDefault: !isWeakS3Secret(config.initialS3?.secretAccessKey ?? null),
        },
        { host: config.host, ...ports, sharing },
      );
      return server.port;
    },
    startBackgroundJobs() {
      if (metricsAddress !== null && counts !== undefined) {
        metrics = serveMetrics({
          address: metricsAddress,
          version,
          catalog,
          feed,
          health,
          counts,
          peerCounts: sharedState.peerCounts,
          minFreeSpace: () => settings.current().minFreeSpace,
        });
      }
      jobs.start();
      // No other process sends webhooks of this catalog: the leader before this one is dead.
      const reclaimed = instance.isShared ? Promise.resolve() : catalog.releaseWebhooks(null);
      void reclaimed
        .catch((cause) => onError("The leases of webhooks could not be ended", cause))
        .finally(webhooks.sender.start);
    },
    readCounts: () => counts?.read(),
    async reclaimLeases(workerId) {
      await Promise.all([catalog.releaseLeasesOf(workerId), catalog.releaseWebhooks(workerId)]);
      await jobs.sweep();
    },
    async onEvent(event) {
      if (event === "settings changed") await settings.refresh();
      else if (event === "scrub now") await jobs.startScrub();
      else await Promise.all([insight.flush(), access.flush(), links.flush()]);
    },
    async drain() {
      isStopping = true;
      const isProbed = performance.now() - lastProbe < PROBED_WITHIN_MS;
      await server?.drain(isProbed || config.trustedProxies.length > 0);
    },
    async stop(graceMs) {
      const end = performance.now() + graceMs + CLOSE_MS;
      const within = (work: Promise<void> | undefined, reserveMs: number): Promise<void> =>
        Promise.race([work, sleep(Math.max(0, end - reserveMs - performance.now()))]);
      feed.close();
      await Promise.race([server?.stop(), sleep(graceMs)]);
      // The next start finishes work that hangs, such as a removal that the store does not carry out.
      await within(server?.closeConnections(), 3500);
      await within(closeServices(), 1500);
      await within(instance.close(), 0);
    },
  };
}

/** A load balancer probes the readiness at least this often. */
const PROBED_WITHIN_MS = 30_000;

function hostAndPort(url: string): string {
  const { hostname, port, protocol } = new URL(url);
  return `${hostname}:${port || (protocol === "https:" ? 443 : 80)}`;
}
