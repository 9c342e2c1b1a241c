import { createPasswords } from "./access/passwords.ts";
import type { Config } from "./config/config.ts";
import { createFeed } from "./feed/feed.ts";
import { createFiles } from "./files/files.ts";
import { volumeSpace } from "./fs/volume-space.ts";
import { createHealth } from "./health/health.ts";
import { createReadiness } from "./health/readiness.ts";
import { serveSite } from "./http/serve-site.ts";
import type { HttpServer } from "./http/server.ts";
import { createImages, withVariants } from "./images/images.ts";
import { createVariantStore } from "./images/variant-store.ts";
import { createActivity } from "./insight/activity.ts";
import { createFileTraffic } from "./insight/file-traffic.ts";
import { createKeyTraffic } from "./insight/key-traffic.ts";
import { createOverview } from "./insight/overview.ts";
import { createStatistics } from "./insight/statistics.ts";
import { createTraffic } from "./insight/traffic.ts";
import { createBackgroundJobs } from "./instance/background-jobs.ts";
import { createInitialAccess } from "./instance/initial-access.ts";
import { readLoss } from "./instance/lost-records.ts";
import { type Instance, openInstance } from "./instance/open-instance.ts";
import { listQuarantine } from "./instance/quarantine.ts";
import { openSharedLimits } from "./instance/shared-limits.ts";
import { startupInfo } from "./instance/startup-info.ts";
import { rateKey } from "./limits/client-address.ts";
import { createFindVisitorScope } from "./links/find-visitor-scope.ts";
import { createLinks } from "./links/links.ts";
import type { Log } from "./log.ts";
import { createObjects } from "./objects/objects.ts";
import { createSigner } from "./rules/signature.ts";
import { waitForCacheExpiry } from "./settings/stale-while-revalidate-cache.ts";
import { createUploads } from "./uploads/uploads.ts";
import { version } from "./version.ts";
import type { App, Service } from "./workers/service.ts";
import type { SharedState } from "./workers/shared-state.ts";
import { singleProcessState } from "./workers/single-process-state.ts";

/** A server in this process. Error: the data folder cannot be served; the message says why. */
export async function createApp(config: Config, log: Log): Promise<App> {
  const instance = await openInstance(config, { mode: "server", log });
  const sharedLimits = await openSharedLimits(config, log);
  const service = await createService(instance, log, singleProcessState(sharedLimits));
  await createInitialAccess(service.access, config);
  return {
    async start() {
      const port = service.listen(config.port, "exclusive");
      service.startBackgroundJobs();
      return startupInfo(config, port, service.access);
    },
    async stop(graceMs) {
      await service.stop(graceMs);
      sharedLimits.close();
    },
  };
}

/** Wires up the service, which does not listen yet. */
export async function createService(
  instance: Instance,
  log: Log,
  sharedState: SharedState,
): Promise<Service> {
  const { config, catalog, folder } = instance;
  const signer = createSigner(instance.secret());
  const onError = (message: string, cause: unknown): void => log.error({ err: cause }, message);
  const { blobs: openedBlobs, links: presigner } = await instance.openBlobs();
  const settings = await instance.openSettings(
    // The other servers of a shared catalog are unknown and cannot be notified.
    instance.isShared ? waitForCacheExpiry : sharedState.settingsChanged,
  );
  const variants = createVariantStore({
    ...{ folder: folder.variants, maxBytes: config.imageSpace, processes: config.workers, onError },
    minFreeSpace: () => settings.current().minFreeSpace,
  });
  const blobs = withVariants(openedBlobs, variants);
  const { flushPeers, throttle } = sharedState;
  const access = instance.openAccess({ clientKey: rateKey, throttle, flushPeers });
  const files = createFiles({
    ...{ catalog, blobs, signer, onError, lostRecords: instance.lostRecords },
    owner: sharedState.workerId,
    settings: settings.current,
    onDamage: ({ id, key, blobId }) => log.error({ id, key, blobId }, "damage: bytes are missing"),
  });
  const images = createImages({
    store: config.imageSpace === 0 ? null : variants,
    ...{ readBytes: files.read, ledger: catalog, processes: config.workers },
  });
  const uploads = createUploads({
    ...{ catalog, blobs, storage: files.storage, settings: settings.current, onError },
    scopeOf: createFindVisitorScope({ catalog, scopeOf: access.findScope }),
    maxOpen: config.maxOpenUploads,
    expiryMs: config.uploadExpiry,
    isOnlyProcess: sharedState.isOnlyProcess && !instance.isShared,
  });
  const links = createLinks({
    ...{ catalog, files, throttle, batches: uploads.batches, scopeOf: access.findScope },
    ...{ passwords: createPasswords(), clientKey: rateKey, secret: instance.secret() },
    ...{ onError, flushPeers },
  });
  const objects = createObjects({
    ...{ catalog, blobs, storage: files.storage, settings: settings.current, onError },
    maxOpenUploads: config.maxOpenUploads,
  });
  const activity = createActivity({
    log: catalog,
    retentionDays: () => settings.current().activityRetentionDays,
    onError,
    flushPeers,
  });
  const traffic = createTraffic({ log: catalog, onError, flushPeers });
  const fileTraffic = createFileTraffic({ log: catalog, onError, flushPeers });
  const keyTraffic = createKeyTraffic({ log: catalog, onError, flushPeers });
  const readStatistics = createStatistics(catalog);
  const overview = createOverview({ catalog, blobs, traffic, fileTraffic, readStatistics });
  const feed = createFeed({ catalog, onError });
  const jobs = createBackgroundJobs({
    ...{ config, log, catalog, blobs, files, images, uploads, links, objects, activity, feed },
    settings,
  });
  const health = createHealth({
    ...{ catalog, blobs, readStatistics, limitStoreState: sharedState.limitStoreState },
    kinds: {
      catalog: config.catalog.driver,
      blobs: config.blobs.driver,
      redis: config.redis !== null,
    },
    workers: sharedState.workerCounts,
    volume: () => volumeSpace(folder.path),
    quarantine: () => listQuarantine(folder.path),
    lostRecords: () => readLoss(folder.path),
    schedule: { every: config.scrubEvery, rate: config.scrubRate },
    startScrub: async () => {
      await Promise.all([jobs.startScrub(), sharedState.scrubNow()]);
    },
  });
  let server: HttpServer | undefined;

  return {
    access,
    listen(port, sharing) {
      releaseMemory();
      const isReady = createReadiness({
        catalog,
        blobs,
        limitStoreState: sharedState.limitStoreState,
      });
      server = serveSite(
        {
          ...{
            files,
            uploads,
            links,
            objects,
            images,
            feed,
            access,
            signer,
            settings,
            activity,
            traffic,
            fileTraffic,
            keyTraffic,
            overview,
            health,
          },
          ...{ blobs, presigner, isReady },
          limits: sharedState.limits,
        },
        { ...config, blobsPath: folder.blobs, version, onError },
        { host: config.host, port, sharing },
      );
      return server.port;
    },
    startBackgroundJobs: jobs.start,
    async reclaimLeases(workerId) {
      await catalog.releaseLeasesOf(workerId);
      await jobs.sweep();
    },
    async onEvent(event) {
      if (event === "settings changed") await settings.refresh();
      else if (event === "scrub now") await jobs.startScrub();
      else
        await Promise.all([
          activity.flush(),
          traffic.flush(),
          fileTraffic.flush(),
          keyTraffic.flush(),
          access.flush(),
          links.flush(),
        ]);
    },
    async stop(graceMs) {
      feed.close();
      await Promise.race([server?.stop(), Bun.sleep(graceMs)]);
      await server?.closeConnections();
      await jobs.stop();
      await activity.close();
      await traffic.close();
      await fileTraffic.close();
      await keyTraffic.close();
      await links.flush();
      await uploads.close();
      await objects.close();
      await images.close();
      await files.close();
      await instance.close();
    },
  };
}

/**
 * Returns memory that only the start needed to the system: about 2 MB of 80. Before the first
 * request, because a full collection holds up the others: 14 ms here, 60 ms under load.
 */
function releaseMemory(): void {
  Bun.gc(true);
  Bun.shrink();
}
