import { openApiDocument } from "../contract/openapi.ts";
import type { Budget } from "../contract/operation.ts";
import { type Access, createAccess } from "./access/access.ts";
import type { BlobLinks } from "./blobs/port.ts";
import { type Catalog, LEASE_SECONDS } from "./catalog/port.ts";
import { lockFolder } from "./catalog/sqlite/folder-lock.ts";
import type { Config } from "./config/config.ts";
import { createFiles, type Files } from "./files/files.ts";
import type { Scrub } from "./files/scrub.ts";
import { accelRedirect, type SendfileHeader } from "./http/accel-redirect.ts";
import { auditedHandlers } from "./http/audited-handlers.ts";
import { createDashboardAssets } from "./http/dashboard-assets.ts";
import { createDeliver } from "./http/delivery.ts";
import { createGate } from "./http/gate.ts";
import { accountHandlers } from "./http/handlers/account.ts";
import { fileHandlers } from "./http/handlers/files.ts";
import { folderHandlers } from "./http/handlers/folders.ts";
import { insightHandlers } from "./http/handlers/insight.ts";
import { keyHandlers } from "./http/handlers/keys.ts";
import { searchHandlers } from "./http/handlers/search.ts";
import { serviceHandlers } from "./http/handlers/service.ts";
import { settingsHandlers } from "./http/handlers/settings.ts";
import { createHost } from "./http/hosting.ts";
import { usualLimits } from "./http/multipart/limits.ts";
import { readText } from "./http/multipart/read-text.ts";
import { pages } from "./http/pages/pages.ts";
import { presignedRedirect } from "./http/presigned-redirect.ts";
import { createSendArchive } from "./http/send-archive.ts";
import { sendfileLocation } from "./http/sendfile-location.ts";
import { type HttpServer, listen } from "./http/server.ts";
import { type Activity, createActivity } from "./insight/activity.ts";
import { createOverview } from "./insight/overview.ts";
import { createTraffic, type Traffic } from "./insight/traffic.ts";
import { claimDisk } from "./instance/claim-disk.ts";
import { compareSecret } from "./instance/compare-secret.ts";
import {
  claimDataFolder,
  type DataFolder,
  keptSecret,
  openDataFolder,
} from "./instance/data-folder.ts";
import { openBlobs } from "./instance/open-blobs.ts";
import { openCatalog } from "./instance/open-catalog.ts";
import { createReadiness, type IsReady } from "./instance/readiness.ts";
import { scrubbing } from "./instance/scrubbing.ts";
import { openSharedLimits } from "./instance/shared-limits.ts";
import { createClientAddress, rateKey } from "./limits/client-address.ts";
import type { RateLimit } from "./limits/port.ts";
import type { Log } from "./log.ts";
import { createSigner } from "./rules/signature.ts";
import { createSettings, type Settings } from "./settings/settings.ts";
import { waitForCacheExpiry } from "./settings/stale-while-revalidate-cache.ts";
import { version } from "./version.ts";
import type { PeerEvent } from "./workers/rpc.ts";
import type { SharedState } from "./workers/shared-state.ts";
import { singleProcessState } from "./workers/single-process-state.ts";

/** The whole service, put together. */
export interface App {
  /** Listens. Throws the runtime's error when the address cannot be had. */
  start(): Promise<Started>;
  /** Lets requests under way finish, for so many milliseconds at most, then lets go of everything. */
  stop(graceMs: number): Promise<void>;
}

export interface Started {
  /** Where it listens. */
  readonly localUrl: string;
  /** Where users reach it. */
  readonly url: string;
  /** Where the administrator's account is created; null once it is there. */
  readonly setupUrl: string | null;
  readonly hasKeys: boolean;
}

export const EVENT_LEVELS = {
  migrated: "debug",
  "not checked": "warn",
  "disk full": "warn",
  "disk has room": "info",
} as const;

/**
 * How often leftovers of interrupted deletions and lapsed leases are looked for: often enough that
 * what a process leaves that is killed is gone within the time of two leases, whoever is left.
 */
const SWEEP_MS = (LEASE_SECONDS * 1000 * 2) / 3;

/** A service over an open catalog. */
export interface Service {
  readonly access: Access;
  /** Returns the port. Throws the runtime's error when the address cannot be had. */
  listen(port: number, sharing: "exclusive" | "shared"): number;
  /** Does from now on what one process of a server does for all of them. */
  startBackgroundJobs(): void;
  /** Clears away what a process that bore this name in its sharedState, and has ended, has left behind. */
  reclaimLeases(name: string): Promise<void>;
  /** Acts on what another process of the sharedState tells. */
  onEvent(event: PeerEvent): Promise<void>;
  /** Lets requests under way finish, for so many milliseconds at most, then lets go of everything. */
  stop(graceMs: number): Promise<void>;
}

/** Opens the data folder. Throws an Error that says why when it cannot be served. */
export async function createApp(config: Config, log: Log): Promise<App> {
  const folder = openDataFolder(config.dataPath);
  const lock = lockFolder(folder.path);
  claimDataFolder(folder);
  const catalog = await openCatalog(config, folder, {
    exclusive: true,
    log: (event) => log[EVENT_LEVELS[event.event]](event, "catalog"),
    onFatal: endAtOnce(log),
  });
  await claimDisk(config, folder, catalog);
  if (config.databaseUrl !== null) {
    await compareSecret(catalog, config.authSecret ?? keptSecret(folder), log);
  }
  const counts = await openSharedLimits(config, log);
  const service = await createService(config, log, {
    folder,
    catalog,
    sharedState: singleProcessState(counts),
  });
  await prepareAccess(service.access, config);

  return {
    async start() {
      const port = service.listen(config.port, "exclusive");
      service.startBackgroundJobs();
      return startupInfo(config, port, service.access);
    },
    async stop(graceMs) {
      await service.stop(graceMs);
      counts.close();
      lock.release();
    },
  };
}

/** For a catalog that cannot be written any more. */
export const endAtOnce =
  (log: Log) =>
  (error: Error): void => {
    log.fatal({ err: error }, "The catalog cannot be written any more: stopping");
    process.exit(1);
  };

/** What to tell whoever has started it. Makes the link to set up with, if it is needed. */
export async function startupInfo(config: Config, port: number, access: Access): Promise<Started> {
  const address = config.host.includes(":") ? `[${config.host}]` : config.host;
  const localUrl = `http://${address}:${port}`;
  const url = config.publicUrl ?? localUrl;
  const token = await access.accounts.issueSetupToken();
  return {
    localUrl,
    url,
    setupUrl: token === null ? null : `${url}/setup#${token}`,
    hasKeys: (await access.keys.list()).length > 0,
  };
}

interface ServiceParts {
  readonly folder: DataFolder;
  readonly catalog: Catalog;
  readonly sharedState: SharedState;
}

/** Puts the service together, which is not reached before it listens. */
export async function createService(
  config: Config,
  log: Log,
  { folder, catalog, sharedState }: ServiceParts,
): Promise<Service> {
  const signer = createSigner(config.authSecret ?? keptSecret(folder));
  const onError = (message: string, cause: unknown): void => log.error({ err: cause }, message);
  const settings = await createSettings({
    stored: catalog,
    pinned: config.settings,
    // Of a database, nobody knows who else uses it.
    broadcast: config.databaseUrl === null ? sharedState.settingsChanged : waitForCacheExpiry,
    onError,
  });
  const { blobs, links } = await openBlobs(config, folder, catalog, {
    onTrouble: (message) => log.warn(message),
    mustExist: false,
  });
  const files = createFiles({
    catalog,
    blobs,
    owner: sharedState.name,
    signer,
    readText: (part) => readText(part, MAX_FIELD_BYTES),
    settings: settings.current,
    onDamage: ({ id, key, blobId }) => log.error({ id, key, blobId }, "damage: bytes are missing"),
    onError,
  });
  const access = createAccess({
    credentials: catalog,
    onError,
    clientKey: rateKey,
    throttle: sharedState.throttle,
    flushPeers: sharedState.flushPeers,
  });
  const activity = createActivity({
    log: catalog,
    retentionDays: () => settings.current().activityRetentionDays,
    onError,
    flushPeers: sharedState.flushPeers,
  });
  const traffic = createTraffic({
    log: catalog,
    onError,
    flushPeers: sharedState.flushPeers,
  });
  const overview = createOverview({ catalog, blobs, traffic });
  let timer: Timer | undefined;
  let server: HttpServer | undefined;
  let scrub: Scrub | undefined;

  return {
    access,
    listen(port, sharing) {
      const isReady = createReadiness({
        catalog,
        blobs,
        limitStoreState: sharedState.limitStoreState,
      });
      const services = {
        ...{ files, access, signer, settings, activity, traffic, overview, links, isReady },
        sendfileHeader: sendfileLocation({ ...config, blobsPath: folder.blobs, blobs }),
      };
      server = serve(config, log, services, { limits: sharedState.limits, port, sharing });
      return server.port;
    },
    startBackgroundJobs() {
      timer ??= setInterval(() => void sweep({ files, activity, settings }, log), SWEEP_MS);
      scrub ??= scrubbing(config, log, { catalog, blobs });
      void sweep({ files, activity, settings }, log);
    },
    async reclaimLeases(name) {
      await catalog.releaseLeasesOf(name);
      await sweep({ files, activity, settings }, log);
    },
    async onEvent(event) {
      if (event === "settings changed") await settings.refresh();
      else await Promise.all([activity.flush(), traffic.flush(), access.flush()]);
    },
    async stop(graceMs) {
      clearInterval(timer);
      settings.close();
      await Promise.race([server?.stop(), Bun.sleep(graceMs)]);
      await server?.cut();
      await scrub?.stop();
      await activity.close();
      await traffic.close();
      await access.close();
      await files.close();
      await catalog.close();
    },
  };
}

/** A folder's path is refused by its own rule long before this. */
const MAX_FIELD_BYTES = 64 * 1024;

interface Services {
  readonly files: Files;
  readonly access: Access;
  readonly signer: ReturnType<typeof createSigner>;
  readonly settings: Settings;
  readonly activity: Activity;
  readonly traffic: Traffic;
  readonly overview: ReturnType<typeof createOverview>;
  readonly links: BlobLinks | null;
  readonly isReady: IsReady;
  /** null: no proxy sends the bytes. */
  readonly sendfileHeader: SendfileHeader | null;
}

interface Place {
  readonly limits: Readonly<Record<Budget, RateLimit>>;
  readonly port: number;
  readonly sharing: "exclusive" | "shared";
}

function serve(
  config: Config,
  log: Log,
  { files, access, signer, settings, activity, traffic, overview, ...services }: Services,
  { limits, port, sharing }: Place,
): HttpServer {
  const { links, isReady, sendfileHeader } = services;
  const publicOrigin = config.publicUrl === null ? null : new URL(config.publicUrl).origin;
  const secure = publicOrigin?.startsWith("https:") ?? false;
  const gate = createGate({
    authenticate: access.authenticate,
    clientAddress: createClientAddress(config.trustedProxies),
    limits,
    publicOrigin,
  });
  let server: HttpServer | undefined;
  const send = createDeliver({
    readBytes: files.read,
    cacheMaxAge: () => settings.current().hostingCacheSeconds,
    sending: traffic.countBytes,
    presignedRedirect:
      links === null || config.delivery !== "redirect" ? null : presignedRedirect(links),
    requestsUnderWay: () => server?.requestsUnderWay() ?? 0,
  });
  const deliver = sendfileHeader === null ? send : accelRedirect(send, sendfileHeader);
  const sendArchive = createSendArchive(
    (error) => log.error({ err: error }, "A zip broke off"),
    traffic.countBytes,
  );
  let made: string | undefined;
  const openApi = (): string => {
    made ??= JSON.stringify(openApiDocument({ version }));
    return made;
  };
  const handlers = {
    ...fileHandlers({
      files,
      deliver,
      sendArchive,
      multipartLimits: () => usualLimits(settings.current().maxFilesPerRequest + EXTRA_PARTS),
      maxDeleteBatch: () => settings.current().maxDeleteBatch,
    }),
    ...folderHandlers(files, sendArchive),
    ...searchHandlers(files),
    ...keyHandlers(access.keys),
    ...accountHandlers({ ...access, secure }),
    ...insightHandlers({ activity, overview }),
    ...settingsHandlers(settings),
    ...serviceHandlers(openApi, isReady),
  };
  server = listen(
    {
      gate,
      freshSettings: settings.fresh,
      meter: traffic.countRequest,
      handlers: {
        ...handlers,
        ...auditedHandlers(handlers, { activity, files, keys: access.keys }),
      },
      host: createHost({ files, signer, deliver, identify: gate.identify }),
      pages: pages(openApi),
      dashboard: createDashboardAssets(basePath(config)),
      onError: (error) => log.error({ err: error }, "Unexpected server error"),
    },
    { host: config.host, port, sharing },
  );
  return server;
}

/** The path below which a proxy shows the site: empty, or with a slash in front only. */
const basePath = ({ publicUrl }: Config): string =>
  publicUrl === null ? "" : new URL(publicUrl).pathname.replace(/\/$/, "");

/** Fields beside the files, known and unknown; one file more, so that it is refused as a file. */
const EXTRA_PARTS = 32;

/** What the environment says that there is to be. */
export async function prepareAccess({ accounts, keys }: Access, config: Config): Promise<void> {
  if (config.initialApiKey !== null) await keys.install(config.initialApiKey, "initial");
  if (config.administrator !== null) {
    await accounts.ensureAccount(config.administrator.email, config.administrator.password);
  }
}

async function sweep(
  { files, activity, settings }: Pick<Services, "files" | "activity" | "settings">,
  log: Log,
): Promise<void> {
  try {
    await settings.fresh();
    const removed = await files.sweep();
    await activity.prune();
    if (removed > 0) log.info({ removed }, "Removed what interrupted uploads had left");
  } catch (error) {
    log.error({ err: error }, "The sweep failed; it is tried again");
  }
}
