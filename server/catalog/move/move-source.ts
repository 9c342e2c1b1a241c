import { createBlobQueries } from "../blobs/blobs.ts";
import type { Engine } from "../engine/engine.ts";
import { createFileQueries } from "../files-and-folders.ts";
import type { MoveSource } from "../move-port.ts";
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
