import { dirname, join } from "node:path";
import { createCatalog } from "../catalog.ts";
import type { Engine } from "../engine.ts";
import { type Catalog, MAX_DEFECTS } from "../port.ts";
import { openBallast, watchBallast, withRoom } from "./ballast.ts";
import type { CatalogEvent } from "./catalog-event.ts";
import { examineFile } from "./check-file.ts";
import { watchCommits } from "./commits.ts";
import { openConnection, type SqliteConnection } from "./connection.ts";
import { createKysely, createStatementRunner } from "./kysely.ts";
import { openLocalWriter } from "./local-writer.ts";
import { prepareFile } from "./prepare-file.ts";
import { createRoomyWriter } from "./roomy-writer.ts";
import { openThreadWriter } from "./thread-writer.ts";
import { tuneForReading } from "./tune.ts";
import type { Writer } from "./writer.ts";

export interface SqliteCatalogOptions {
  /** The file; it and the tables are created where missing. Its folder must exist. */
  readonly path: string;
  /**
   * true for the server, which has locked the data folder: leases found are dead, and changes run
   * on a thread of their own. false for a command, beside a running server or not.
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
 * An exclusive catalog keeps a `ballast` beside its file: on a full volume it can still be opened,
 * and what frees room can still be done.
 */
export async function openSqliteCatalog(options: SqliteCatalogOptions): Promise<Catalog> {
  if (options.exclusive) return (await openPrimaryCatalog(options)).catalog;
  return catalogOver(await openFile(options), () => 0);
}

/** An exclusive catalog, whose writer may be lent to other processes that read the same file. */
export async function openPrimaryCatalog(
  options: Omit<SqliteCatalogOptions, "exclusive">,
): Promise<{
  readonly catalog: Catalog;
  readonly change: Writer["change"];
}> {
  const ballast = await openBallast(ballastOf(options.path), options.log ?? (() => {}));
  try {
    const file = await withRoom(ballast, () => openFile({ ...options, exclusive: true }));
    const writer = createRoomyWriter(file.writer, ballast);
    return {
      catalog: catalogOver({ reader: file.reader, writer }, ballast.owed),
      change: writer.change,
    };
  } catch (cause) {
    await ballast.close();
    throw cause;
  }
}

/**
 * The catalog in the file of an `openPrimaryCatalog` in another process, which makes the changes that
 * `change` hands over: this one only reads.
 */
export async function openSecondaryCatalog(
  path: string,
  change: Writer["change"],
): Promise<Catalog> {
  const owed = await watchBallast(ballastOf(path));
  return catalogOver(await openBoth(path, async () => ({ change, close: async () => {} })), owed);
}

const ballastOf = (path: string): string => join(dirname(path), "ballast");

interface OpenFile {
  readonly reader: SqliteConnection;
  readonly writer: Writer;
}

async function openFile(options: SqliteCatalogOptions): Promise<OpenFile> {
  const { path, exclusive, log = () => {}, onFatal = () => {} } = options;
  await prepareFile(path, exclusive, log);
  return openBoth(path, () =>
    exclusive ? openThreadWriter(path, onFatal) : openLocalWriter(path),
  );
}

async function openBoth(path: string, openWriter: () => Promise<Writer>): Promise<OpenFile> {
  const reader = openConnection(path);
  try {
    tuneForReading(reader);
    return { reader, writer: await openWriter() };
  } catch (cause) {
    reader.close();
    throw cause;
  }
}

function catalogOver({ reader, writer }: OpenFile, missingReserve: () => number): Catalog {
  const commits = watchCommits(reader);
  const db = createKysely(reader);
  const engine: Engine = {
    db,
    ...createStatementRunner(reader, db),
    generation: commits.generation,
    change: writer.change,
    findDamage: async () => examineFile(reader, MAX_DEFECTS),
    missingReserve,
    async close() {
      reader.close();
      // The last to let go of the file clears away its side files.
      await writer.close();
      commits.close();
    },
  };
  return createCatalog(engine);
}
