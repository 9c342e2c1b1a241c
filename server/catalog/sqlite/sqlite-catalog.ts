import { createCatalog } from "../catalog.ts";
import type { Engine } from "../engine.ts";
import { type Catalog, MOST_FAULTS } from "../port.ts";
import type { CatalogEvent } from "./catalog-event.ts";
import { examineFile } from "./check-file.ts";
import { openConnection } from "./connection.ts";
import { createKysely } from "./kysely.ts";
import { openLocalWriter } from "./local-writer.ts";
import { prepareFile } from "./prepare-file.ts";
import { prepareQuery } from "./prepared-query.ts";
import { openThreadWriter } from "./thread-writer.ts";
import { tuneForReading } from "./tune.ts";

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
 */
export async function openSqliteCatalog(options: SqliteCatalogOptions): Promise<Catalog> {
  const { path, exclusive, log = () => {}, onFatal = () => {} } = options;
  await prepareFile(path, exclusive, log);
  const reader = openConnection(path);
  tuneForReading(reader);
  const writer = exclusive ? await openThreadWriter(path, onFatal) : openLocalWriter(path);
  const engine: Engine = {
    db: createKysely(reader),
    prepare: (build) => prepareQuery(reader, build),
    change: writer.change,
    examine: async () => examineFile(reader, MOST_FAULTS),
    async close() {
      reader.close();
      // The last to let go of the file clears away its side files.
      await writer.close();
    },
  };
  return createCatalog(engine);
}
