import type { Engine } from "../engine.ts";
import type { MoveSource } from "../move-port.ts";
import { createBlobLedger } from "../reads/ledger.ts";
import { createNames } from "../reads/names.ts";
import { totals } from "../reads/totals.ts";
import { readRootId } from "./read-root.ts";
import { createCatalogRows } from "./read-rows.ts";

/** A catalog over any engine, to be read in whole. Error: it has no root folder. */
export async function createMoveSource(
  engine: Pick<Engine, "db" | "first" | "all" | "close">,
): Promise<MoveSource> {
  const change = () => Promise.reject(new Error("What is carried away is not changed."));
  const { fileById } = createNames({ ...engine, change });
  const { blobsAfter, knownBlobs } = createBlobLedger({ ...engine, change });
  return {
    rootId: await readRootId(engine.db),
    ...createCatalogRows(engine.db),
    total: () => totals(engine.db),
    fileById,
    blobsAfter,
    knownBlobs,
    close: engine.close,
  };
}
