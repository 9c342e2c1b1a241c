import type { Engine } from "./engine.ts";
import type { Catalog } from "./port.ts";
import { createCredentials } from "./reads/credentials.ts";
import { createActivityLog, createTrafficLog } from "./reads/insight.ts";
import { createInspection } from "./reads/inspection.ts";
import { createBlobLedger } from "./reads/ledger.ts";
import { createNames } from "./reads/names.ts";
import { createCensus } from "./reads/statistics.ts";

/** The catalog over any engine: every query and change is the same on all of them. */
export function createCatalog(engine: Engine): Catalog {
  return {
    ...createNames(engine),
    ...createBlobLedger(engine),
    ...createCredentials(engine),
    ...createActivityLog(engine),
    ...createTrafficLog(engine),
    ...createCensus(engine),
    ...createInspection(engine),
    missingReserve: engine.missingReserve,
    async ping() {
      await engine.db.selectFrom("migrations").select("version").limit(1).execute();
    },
    close: () => engine.close(),
  };
}
