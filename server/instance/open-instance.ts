import { type Access, type AccessDeps, createAccess } from "../access/access.ts";
import type { OnTrouble, OpenBlobs } from "../blobs/driver.ts";
import { blobDriver } from "../blobs/drivers.ts";
import type { DamagedRead } from "../blobs/port.ts";
import { withSmallBlobCache } from "../blobs/small-blob-cache.ts";
import type { CatalogDriver, Change } from "../catalog/driver.ts";
import { catalogDriver } from "../catalog/drivers.ts";
import type { Catalog } from "../catalog/port/catalog.ts";
import { joinFolder, lockFolder } from "../catalog/sqlite/folder-lock.ts";
import type { Config } from "../config/config.ts";
import { SYSTEM } from "../domain/callers/caller.ts";
import { ROOT_KEY } from "../domain/names/name.ts";
import type { LostRecords } from "../files/lost-records.ts";
import type { DataFolder } from "../fs/data-folder-layout.ts";
import { createSettings, type Settings, type SettingsDeps } from "../settings/settings.ts";
import { compareSecret, readOrCreateSecret } from "./auth-secret.ts";
import { catalogEvents, logCatalogEvents, noteLostRecords } from "./catalog-events.ts";
import { claimDisk, requireDisk } from "./claim-disk.ts";
import {
  claimDataFolder,
  findDataFolder,
  hasBeenUsed,
  noteUse,
  openDataFolder,
  refuseBackup,
} from "./data-folder.ts";
import { createLogFailure } from "./log-failure.ts";
import { createLostRecords, reportLoss } from "./lost-records.ts";
import { isServer, MODE_RULES, type Mode, type ModeRules, type OnError } from "./mode.ts";
import { releasePredecessors } from "./predecessors.ts";

/*
 * Opens an instance. Only this file knows the order: data folder, lock, claim, check of the catalog,
 * catalog, disk claim and secret; then, by those who need them, blobs, settings and access.
 */

/** An open instance. Blobs, settings and access are opened on demand. */
export interface Instance {
  readonly config: Config;
  readonly folder: DataFolder;
  readonly catalog: Catalog;
  /** Whether servers with other data folders may use the same catalog. */
  readonly isShared: boolean;
  readonly lostRecords: LostRecords;
  /** Makes the changes of a worker. */
  readonly change: Change;
  /** The id of the root folder, which identifies the instance. */
  id(): Promise<string>;
  /** The secret that signs URLs. Creates and stores one if the instance has none. */
  secret(): string;
  openBlobs(): Promise<OpenBlobs>;
  openSettings(broadcast?: SettingsDeps["broadcast"]): Promise<Settings>;
  openAccess(
    parts?: Pick<AccessDeps, "throttle" | "clientKey" | "flushPeers" | "requireSecondFactor">,
  ): Access;
  /** Closes every open part, in reverse order of opening. */
  close(): Promise<void>;
}

/** Error: the instance cannot be opened in this mode; the message says why. */
export async function openInstance(config: Config, mode: Mode): Promise<Instance> {
  const rules = MODE_RULES[mode.mode];
  const driver = catalogDriver(config.catalog);
  const closers: (() => Promise<void> | void)[] = [];
  const close = async (): Promise<void> => {
    for (const each of closers.splice(0).reverse()) await each();
  };

  try {
    const folder = openFolder(config, driver, rules);
    const lock = lockFor(folder, rules);
    closers.push(() => lock.release());
    if (isServer(mode)) claimDataFolder(folder);
    if (rules.lock !== "join" && hasBeenUsed(folder)) driver.requireRoot(folder);
    const { onError, onTrouble, onDamage } = errorHandlersOf(mode);
    if (isServer(mode)) reportLoss(folder, onError);
    const { catalog, change } = await openCatalog(driver, folder, { mode, onError });
    closers.push(() => catalog.close());
    if (isServer(mode)) noteUse(folder, await rootIdOf(catalog));
    if (rules.disk === "claim") await claimDisk(config, folder, catalog);
    if (rules.disk === "check") await requireDisk(config, folder, catalog);
    if (isServer(mode) && driver.isShared) await releasePredecessors(folder, catalog);
    const secret = (): string => config.authSecret ?? readOrCreateSecret(folder);
    if (isServer(mode)) {
      const current = secret();
      if (driver.isShared) await compareSecret(catalog, current, mode.log);
    }
    lock.admitWorkers();

    return {
      config,
      folder,
      catalog,
      isShared: driver.isShared,
      change,
      secret,
      close,
      lostRecords: createLostRecords(folder, onError),
      id: () => rootIdOf(catalog),
      async openBlobs() {
        const { blobs, links } = await blobDriver(config.blobs).open({
          folder,
          instanceId: () => rootIdOf(catalog),
          hasFiles: (await catalog.blobsAfter(-1, 1)).length > 0,
          ifMissing: rules.missingBlobs,
          // A command has no client that waits: it survives a short freeze.
          ifFrozen: "log" in mode ? "fail" : "wait",
          onTrouble,
        });
        return {
          links,
          blobs: withSmallBlobCache(blobs, config.fileMemory, (damage) =>
            onDamage({ ...damage, place: blobs.placeOf(damage.blobId) }),
          ),
        };
      },
      async openSettings(broadcast) {
        const settings = await createSettings({
          catalog,
          pinned: config.settings,
          onError,
          ...(broadcast === undefined ? {} : { broadcast }),
        });
        closers.push(() => settings.close());
        return settings;
      },
      openAccess(parts = {}) {
        const access = createAccess({
          credentials: catalog,
          onError,
          secret,
          initialS3: config.initialS3,
          acceptsSignatureV2: config.acceptsSignatureV2,
          ...parts,
        });
        closers.push(() => access.close());
        return access;
      },
    };
  } catch (cause) {
    await close();
    throw cause;
  }
}

function openFolder({ dataPath }: Config, driver: CatalogDriver, rules: ModeRules): DataFolder {
  if (rules.folder === "create") return openDataFolder(dataPath);
  const folder = findDataFolder(dataPath);
  driver.requireCatalog(folder);
  if (rules.folder === "existing, no backup") refuseBackup(folder);
  return folder;
}

interface Lock {
  admitWorkers(): void;
  release(): void;
}

function lockFor({ path }: DataFolder, { lock }: ModeRules): Lock {
  const admitWorkers = (): void => {};
  if (lock === "none") return { admitWorkers, release() {} };
  if (lock === "join") return { admitWorkers, ...joinFolder(path) };
  const held = lockFolder(path);
  return lock === "admit workers" ? held : { admitWorkers, release: held.release };
}

async function openCatalog(
  driver: CatalogDriver,
  folder: DataFolder,
  { mode, onError }: { readonly mode: Mode; readonly onError: OnError },
): Promise<{ readonly catalog: Catalog; readonly change: Change }> {
  if (mode.mode === "supervisor")
    return driver.openForSupervisor(folder, catalogEvents(folder, mode.log));
  const change: Change = () =>
    Promise.reject(new Error("Only a supervisor makes changes for workers."));
  if (mode.mode === "server") {
    return { catalog: await driver.open(folder, catalogEvents(folder, mode.log)), change };
  }
  if (mode.mode === "worker") {
    const events = { log: logCatalogEvents(mode.log) };
    return { catalog: await driver.openForWorker(folder, mode.change, events), change };
  }
  const onLostRecords = noteLostRecords(folder, onError);
  return { catalog: await driver.openForCommand(folder, { onLostRecords }), change };
}

interface ErrorHandlers {
  readonly onError: OnError;
  readonly onTrouble: OnTrouble;
  readonly onDamage: (damage: DamagedRead & { readonly place: string }) => void;
}

const DAMAGED_READ = "damage: a read found a damaged file";

function errorHandlersOf(mode: Mode): ErrorHandlers {
  if ("onError" in mode) {
    const { onError } = mode;
    return {
      onError,
      onTrouble: (message) => onError(message),
      onDamage: ({ key, place }) => onError(`${DAMAGED_READ}: "${key}" at ${place}`),
    };
  }
  const { log } = mode;
  return {
    onError: createLogFailure(log),
    onTrouble: (message) => log.warn(message),
    onDamage: (damage) => log.error(damage, DAMAGED_READ),
  };
}

async function rootIdOf(catalog: Pick<Catalog, "folderByKey">): Promise<string> {
  const root = await catalog.folderByKey(SYSTEM, ROOT_KEY);
  if (root === undefined) throw new Error("The catalog has lost its root folder.");
  return root.id;
}
