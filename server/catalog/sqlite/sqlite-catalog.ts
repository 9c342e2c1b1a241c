import { createCatalog } from "../catalog.ts";
import type { Change } from "../changes.ts";
import type { CatalogEvent } from "../driver.ts";
import type { Writer } from "../engine/engine.ts";
import { measureChanges } from "../engine/measure-changes.ts";
import type { Catalog } from "../port/catalog.ts";
import { MAX_DEFECTS } from "../port/inspection.ts";
import { findDamage } from "./check-file.ts";
import { createCommitCounter } from "./commit-counter.ts";
import { configureForReading } from "./configure.ts";
import { openConnection, type SqliteConnection } from "./connection.ts";
import { createCredentialVersion } from "./credential-version.ts";
import {
  openDiskReserve,
  reserveOf,
  retryWithReserve,
  watchDiskReserve,
  withDiskReserve,
} from "./disk-reserve.ts";
import { createDiskWatch, type DiskWatch } from "./disk-watch.ts";
import { openGroupCommit } from "./group-commit.ts";
import { createKysely, createStatementRunner } from "./kysely.ts";
import { prepareFile } from "./prepare-file.ts";
import { openThreadWriter } from "./writer.ts";

export interface SqliteCatalogOptions {
  /** The file; it and the tables are created if missing. Its folder must exist. */
  readonly path: string;
  /**
   * true for the server, which has locked the data folder: leases it finds are dead, and changes run
   * on a thread of their own. false for a command, with or without a running server.
   */
  readonly exclusive: boolean;
  readonly log?: (event: CatalogEvent) => void;
  /** The catalog cannot write any more and will not again: the process should end. */
  readonly onFatal?: (error: Error) => void;
}

/**
 * The catalog in an SQLite file. Error: the file is damaged, is no catalog, or was written by a
 * newer version. Fault "no_space" or "unavailable": as the port says.
 *
 * An exclusive catalog keeps a disk reserve next to its file: on a full volume it can still be
 * opened, and changes that free space still succeed.
 */
export async function openSqliteCatalog(options: SqliteCatalogOptions): Promise<Catalog> {
  if (options.exclusive) return (await openPrimaryCatalog(options)).catalog;
  return catalogOf(await openFile(options), () => 0);
}

/** An exclusive catalog; `change` makes the changes of other processes that read the same file. */
export async function openPrimaryCatalog(
  options: Omit<SqliteCatalogOptions, "exclusive">,
): Promise<{ readonly catalog: Catalog; readonly change: Change }> {
  const reserve = await openDiskReserve(reserveOf(options.path), options.log ?? (() => {}));
  try {
    const opened = await retryWithReserve(reserve, () => openFile({ ...options, exclusive: true }));
    const writer = withDiskReserve(opened.writer, reserve);
    return {
      catalog: catalogOf({ ...opened, writer }, reserve.missing),
      change: writer.change,
    };
  } catch (cause) {
    await reserve.close();
    throw cause;
  }
}

/**
 * The file of an `openPrimaryCatalog` in another process. This process only reads it; `change` sends
 * changes to the other one.
 */
export async function openSecondaryCatalog(
  path: string,
  change: Change,
  log: (event: CatalogEvent) => void,
): Promise<Catalog> {
  const missingReserve = await watchDiskReserve(reserveOf(path));
  const watch = createDiskWatch(path, log);
  const opened = await openBoth(path, watch, async () => ({ change, close: async () => {} }));
  return catalogOf(opened, missingReserve);
}

interface OpenFile {
  readonly reader: SqliteConnection;
  readonly writer: Writer;
  readonly watch: DiskWatch;
}

async function openFile(options: SqliteCatalogOptions): Promise<OpenFile> {
  const { path, exclusive, log = () => {}, onFatal = () => {} } = options;
  await prepareFile(path, exclusive, log);
  return openBoth(path, createDiskWatch(path, log), () =>
    exclusive ? openThreadWriter(path, onFatal) : openGroupCommit(path),
  );
}

async function openBoth(
  path: string,
  watch: DiskWatch,
  openWriter: () => Promise<Writer>,
): Promise<OpenFile> {
  const reader = openConnection(path, watch.onDiskError);
  try {
    configureForReading(reader);
    return { reader, watch, writer: await openWriter() };
  } catch (cause) {
    reader.close();
    throw cause;
  }
}

const SIZE = "SELECT page_count * page_size AS size FROM pragma_page_count(), pragma_page_size()";

function catalogOf({ reader, writer, watch }: OpenFile, missingReserve: () => number): Catalog {
  const commits = createCommitCounter(reader);
  const db = createKysely(reader);
  return createCatalog({
    db,
    ...createStatementRunner(reader, db),
    generation: commits.generation,
    credentialVersion: createCredentialVersion(reader, commits.generation),
    change: measureChanges(watch.changes(writer.change)),
    now: Date.now,
    async ping() {
      // Fault if it is closed.
      reader.first("SELECT 1", []);
      watch.ping();
    },
    findDamage: async () => findDamage(reader, MAX_DEFECTS),
    // The size of its pages: the log beside the file is only temporary.
    async catalogSize() {
      return reader.first<{ size: number }>(SIZE, [])?.size ?? null;
    },
    missingReserve,
    async close() {
      reader.close();
      // The last connection to close the file removes its side files.
      await writer.close();
      commits.close();
    },
  });
}
