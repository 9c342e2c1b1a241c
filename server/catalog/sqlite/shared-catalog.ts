import type { Catalog } from "../port.ts";
import { openBallast, shareBallast, withRoom } from "./ballast.ts";
import { openConnection } from "./connection.ts";
import { prepareFile } from "./prepare-file.ts";
import { createRoomyWriter } from "./roomy-writer.ts";
import { ballastOf, catalogOver, openBoth, type SqliteCatalogOptions } from "./sqlite-catalog.ts";
import { openThreadWriter } from "./thread-writer.ts";

/** What the worker processes of one server have in common, and their supervisor keeps. */
export interface CatalogKeeper {
  /** Leaves one file behind, once nobody has it open any more. */
  close(): Promise<void>;
}

const LOOK_MS = 1000;

/**
 * Makes the file ready for any number of `openSharedCatalog`, and keeps the ballast for them. For
 * whoever has locked the data folder. Errors as of `openSqliteCatalog`.
 */
export async function keepSharedCatalog({
  path,
  log = () => {},
}: Pick<SqliteCatalogOptions, "path" | "log">): Promise<CatalogKeeper> {
  const ballast = await openBallast(ballastOf(path), log);
  try {
    await withRoom(ballast, () => prepareFile(path, true, log));
    // Whoever shares it takes a ballast that is not whole for one that was given up.
    await ballast.restore();
  } catch (cause) {
    await ballast.close();
    throw cause;
  }
  const timer = setInterval(() => void ballast.look(), LOOK_MS);
  return {
    async close() {
      clearInterval(timer);
      await ballast.close();
      // Of several that close at the same moment, none may have been the last.
      const connection = openConnection(path);
      connection.run("SELECT 1 FROM sqlite_schema");
      connection.close();
    },
  };
}

/** The catalog in a file that `keepSharedCatalog` of another process keeps. */
export async function openSharedCatalog({
  path,
  onFatal = () => {},
}: Pick<SqliteCatalogOptions, "path" | "onFatal">): Promise<Catalog> {
  const ballast = await shareBallast(ballastOf(path));
  const { reader, writer } = await withRoom(ballast, () =>
    openBoth(path, () => openThreadWriter(path, onFatal)),
  );
  return catalogOver({ reader, writer: createRoomyWriter(writer, ballast) }, ballast.owed);
}
