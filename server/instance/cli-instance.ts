import { type Access, createAccess } from "../access/access.ts";
import type { BlobInspection, Blobs } from "../blobs/port.ts";
import type { Catalog } from "../catalog/port.ts";
import type { Config } from "../config/config.ts";
import { type Activity, createActivity } from "../insight/activity.ts";
import { createSettings } from "../settings/settings.ts";
import { requireDisk } from "./claim-disk.ts";
import { findDataFolder, openDataFolder, requireCatalog } from "./data-folder.ts";
import { openBlobs } from "./open-blobs.ts";
import { openCatalog } from "./open-catalog.ts";
import { createQuarantine } from "./quarantine.ts";

/*
 * The composition root of the commands that look after an instance beside its server, as `app.ts` is
 * the server's.
 */

/** What a check of a whole instance works on. */
export interface Verification {
  readonly catalog: Catalog;
  readonly blobs: Blobs & BlobInspection;
  readonly quarantine: ReturnType<typeof createQuarantine>;
}

/**
 * For a check beside the server, or without one; makes nothing. Error: there is no instance, or
 * its catalog cannot be opened, or its blobs are not there at all.
 */
export async function withVerification<T>(
  config: Config,
  work: (parts: Verification) => Promise<T>,
): Promise<T> {
  const folder = findDataFolder(config.dataPath);
  if (config.databaseUrl === null) requireCatalog(folder);
  const catalog = await openCatalog(config, folder, { exclusive: false });
  try {
    await requireDisk(config, folder, catalog);
    const { blobs } = await openBlobs(config, folder, catalog, {
      onTrouble: (message) => console.error(message),
      mustExist: true,
    });
    return await work({ catalog, blobs, quarantine: createQuarantine(folder.path, new Date()) });
  } finally {
    await catalog.close();
  }
}

/** Keys and the account for a command that runs beside the server, or without one. */
export async function withAccess<T>(
  config: Config,
  work: (access: Access, activity: Activity) => Promise<T>,
): Promise<T> {
  const folder = openDataFolder(config.dataPath);
  const catalog = await openCatalog(config, folder, { exclusive: false });
  const onError = (message: string): void => console.error(message);
  const access = createAccess({ credentials: catalog, onError });
  const settings = await createSettings({ stored: catalog, pinned: config.settings, onError });
  const retentionDays = (): number => settings.current().activityRetentionDays;
  const activity = createActivity({ log: catalog, retentionDays, onError });
  try {
    return await work(access, activity);
  } finally {
    settings.close();
    await activity.close();
    await access.close();
    await catalog.close();
  }
}
