import type { Engine } from "../engine.ts";
import type { MoveSource } from "../move-port.ts";
import { createBlobQueries } from "../queries/blobs.ts";
import { createFileQueries } from "../queries/files-and-folders.ts";
import { readRootId } from "./read-root.ts";
import { createCatalogRows } from "./read-rows.ts";

/** The catalog of an instance to be moved, on any engine. Error: it has no root folder. */
export async function createMoveSource(
  engine: Pick<Engine, "db" | "first" | "all" | "close">,
): Promise<MoveSource> {
  return {
    rootId: await readRootId(engine.db),
    ...createCatalogRows(engine.db),
    ...createFileQueries(engine),
    ...createBlobQueries(engine),
    close: engine.close,
  };
}
