import { afterEach, beforeEach, describe } from "bun:test";
import type { CatalogBed, OpenBed } from "./suite/bed.ts";
import { ledgerSuite } from "./suite/blobs.suite.ts";
import { concurrencySuite } from "./suite/concurrency.suite.ts";
import { credentialsSuite } from "./suite/credentials.suite.ts";
import { filesSuite } from "./suite/files.suite.ts";
import { foldersSuite } from "./suite/folders.suite.ts";
import { insightSuite } from "./suite/insight.suite.ts";
import { listsSuite } from "./suite/lists.suite.ts";
import { longKeysSuite } from "./suite/long-keys.suite.ts";
import { movesSuite } from "./suite/moves.suite.ts";
import { removedSuite } from "./suite/removed.suite.ts";
import { searchSuite } from "./suite/search.suite.ts";
import { treeSuite } from "./suite/tree.suite.ts";

/** What every catalog must keep of its port's promises. */
export function catalogSuite(name: string, open: OpenBed): void {
  describe(name, () => {
    let current: CatalogBed | undefined;
    beforeEach(async () => {
      current = await open();
    });
    afterEach(() => current?.end());
    const bed = (): CatalogBed => {
      if (current === undefined) throw new Error("No catalog is open.");
      return current;
    };
    filesSuite(bed);
    foldersSuite(bed);
    movesSuite(bed);
    longKeysSuite(bed);
    removedSuite(bed);
    listsSuite(bed);
    searchSuite(bed);
    ledgerSuite(bed);
    credentialsSuite(bed);
    insightSuite(bed);
    concurrencySuite(bed);
    treeSuite(bed);
  });
}
