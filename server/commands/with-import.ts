import type { ApiKeys } from "../access/api-keys.ts";
import { CLI_LEASE_PREFIX } from "../catalog/port/blob-ledger.ts";
import type { Catalog } from "../catalog/port/catalog.ts";
import type { Config } from "../config/config.ts";
import { COMMAND_EVERYWHERE } from "../domain/callers/caller.ts";
import { createSigner } from "../domain/tokens/signature.ts";
import { createFiles, type Files } from "../files/files.ts";
import { openInstance } from "../instance/open-instance.ts";
import { createObjects, type Objects } from "../objects/objects.ts";
import type { TransferReport } from "../transfer/progress.ts";

/** The instance that takes the files of an import. */
export interface ImportInstance {
  readonly catalog: Catalog;
  readonly files: Files;
  readonly objects: Objects;
  /** Opens the API keys. */
  keys(): ApiKeys;
  /** No server notifies this process of changed settings, so it reads them before it stores something. */
  refreshSettings(): Promise<void>;
}

/** The limits on uploads do not apply: these are the administrator's own files. */
const UNLIMITED = {
  maxUploadSize: Number.MAX_SAFE_INTEGER,
  maxFilesPerRequest: Number.MAX_SAFE_INTEGER,
};

/** Opens the instance, with or without a running server. Error: the data folder is a backup. */
export async function withImport<T>(
  config: Config,
  report: Pick<TransferReport, "onProblem">,
  work: (instance: ImportInstance) => Promise<T>,
): Promise<T> {
  const onError = (message: string, cause?: unknown): void =>
    report.onProblem("Holdall", cause === undefined ? message : `${message}: ${String(cause)}`);
  const instance = await openInstance(config, { mode: "import", onError });
  try {
    const { catalog, lostRecords } = instance;
    const { blobs } = await instance.openBlobs();
    const stored = await instance.openSettings();
    const settings = () => ({ ...stored.current(), ...UNLIMITED });
    const files = createFiles({
      catalog,
      blobs,
      lostRecords,
      owner: `${CLI_LEASE_PREFIX}${crypto.randomUUID()}`,
      signer: createSigner(instance.secret()),
      settings,
      onDamage: () => {},
      onError,
    });
    const { maxOpenUploads } = config;
    const { storage } = files;
    const objects = createObjects({ catalog, blobs, storage, settings, maxOpenUploads, onError });
    const refreshSettings = (): Promise<void> => stored.refresh();
    try {
      // Removes leftovers of a killed attempt.
      await files.sweep();
      const keys = () => instance.openAccess().keys;
      return await work({ catalog, files, objects, keys, refreshSettings });
    } catch (error) {
      throw await files.explainNoSpace(COMMAND_EVERYWHERE, error);
    } finally {
      await objects.close();
      await files.close();
    }
  } finally {
    await instance.close();
  }
}
