import type { Catalog } from "../catalog/port/catalog.ts";
import { type Config, ConfigError } from "../config/config.ts";
import { SYSTEM } from "../domain/callers/caller.ts";
import { Fault } from "../domain/faults/fault.ts";
import type { Key } from "../domain/records.ts";
import type { Log } from "../log.ts";

/**
 * Creates the buckets of the environment that are missing. One that exists keeps its settings. Throws
 * ConfigError: a file has the name.
 */
export async function createInitialBuckets(
  catalog: Pick<Catalog, "folderByKey" | "createFolder" | "changeFolder">,
  { initialBuckets }: Pick<Config, "initialBuckets">,
  log: Pick<Log, "warn">,
): Promise<void> {
  for (const { name, isPublic } of initialBuckets) {
    const key = name as Key;
    const found = await catalog.folderByKey(SYSTEM, key);
    if (found === undefined) {
      const created = await create(catalog, key);
      if (isPublic && created !== undefined) {
        await catalog.changeFolder(SYSTEM, {
          id: created.id,
          defaultVisibility: "public",
        });
      }
    } else if (isPublic && found.defaultVisibility !== "public") {
      log.warn(
        `INITIAL_BUCKETS makes ${name} public, but the bucket exists and is not: it stays as it is.`,
      );
    }
  }
}

/** undefined: another server that starts at the same time was first. */
async function create(catalog: Pick<Catalog, "folderByKey" | "createFolder">, key: Key) {
  try {
    return await catalog.createFolder(SYSTEM, key);
  } catch (error) {
    if (!(error instanceof Fault) || error.kind !== "conflict") throw error;
    if ((await catalog.folderByKey(SYSTEM, key)) !== undefined) return undefined;
    throw new ConfigError(`INITIAL_BUCKETS names ${key}, but a file has this name.`);
  }
}
