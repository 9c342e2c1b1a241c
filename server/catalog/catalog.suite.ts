import { afterEach, beforeEach, describe, expect } from "bun:test";
import { naturalName } from "../../contract/text/natural-name.ts";
import { additionsSuite } from "./suite/additions.suite.ts";
import { batchUploadsSuite } from "./suite/batch-uploads.suite.ts";
import { batchesSuite } from "./suite/batches.suite.ts";
import type { CatalogFixture, OpenCatalogFixture } from "./suite/catalog.fixture.ts";
import { changeFilesSuite } from "./suite/change-files.suite.ts";
import { charsetsSuite } from "./suite/charsets.suite.ts";
import { commitBatchSuite } from "./suite/commit-batch.suite.ts";
import { concurrencySuite } from "./suite/concurrency.suite.ts";
import { copiesSuite } from "./suite/copies.suite.ts";
import { credentialsSuite } from "./suite/credentials.suite.ts";
import { digestsSuite } from "./suite/digests.suite.ts";
import { dryRunSuite } from "./suite/dry-run.suite.ts";
import { feedSuite } from "./suite/feed.suite.ts";
import { filesSuite } from "./suite/files.suite.ts";
import { folderVisibilitySuite } from "./suite/folder-visibility.suite.ts";
import { foldersSuite } from "./suite/folders.suite.ts";
import { insightSuite } from "./suite/insight.suite.ts";
import { leasesSuite } from "./suite/leases.suite.ts";
import { lifetimesSuite } from "./suite/lifetimes.suite.ts";
import { lifetimesTreeSuite } from "./suite/lifetimes-tree.suite.ts";
import { linksSuite } from "./suite/links.suite.ts";
import { listsSuite } from "./suite/lists.suite.ts";
import { listsWithinSuite } from "./suite/lists-within.suite.ts";
import { longKeysSuite } from "./suite/long-keys.suite.ts";
import { measureSuite } from "./suite/measure.suite.ts";
import { metadataSuite } from "./suite/metadata.suite.ts";
import { moveConflictsSuite } from "./suite/move-conflicts.suite.ts";
import { movesSuite } from "./suite/moves.suite.ts";
import { multipartsSuite } from "./suite/multiparts.suite.ts";
import { objectListsSuite } from "./suite/object-lists.suite.ts";
import { objectsSuite } from "./suite/objects.suite.ts";
import { passkeysSuite } from "./suite/passkeys.suite.ts";
import { peopleSuite } from "./suite/people.suite.ts";
import { quotasSuite } from "./suite/quotas.suite.ts";
import { quotasTreeSuite } from "./suite/quotas-tree.suite.ts";
import { removedSuite } from "./suite/removed.suite.ts";
import { scopedKeysSuite } from "./suite/scoped-keys.suite.ts";
import { searchSuite } from "./suite/search.suite.ts";
import { trafficSuite } from "./suite/traffic.suite.ts";
import { trashSuite } from "./suite/trash.suite.ts";
import { trashListsSuite } from "./suite/trash-lists.suite.ts";
import { trashRestoreSuite } from "./suite/trash-restore.suite.ts";
import { trashTreeSuite } from "./suite/trash-tree.suite.ts";
import { treeSuite } from "./suite/tree.suite.ts";
import { undoSuite } from "./suite/undo.suite.ts";
import { undoAgainSuite } from "./suite/undo-again.suite.ts";
import { undoConflictsSuite } from "./suite/undo-conflicts.suite.ts";
import { undoContentsSuite } from "./suite/undo-contents.suite.ts";
import { uploadWritersSuite } from "./suite/upload-writers.suite.ts";
import { uploadsSuite } from "./suite/uploads.suite.ts";
import { versionsSuite } from "./suite/versions.suite.ts";
import { withinSuite } from "./suite/within.suite.ts";
import { withinRacesSuite } from "./suite/within-races.suite.ts";

/** The contract of the catalog's port in parts, each of which takes about as long. */
const parts = {
  files: [
    digestsSuite,
    charsetsSuite,
    metadataSuite,
    moveConflictsSuite,
    filesSuite,
    foldersSuite,
    folderVisibilitySuite,
    movesSuite,
    changeFilesSuite,
    copiesSuite,
    dryRunSuite,
    longKeysSuite,
    removedSuite,
  ],
  lists: [withinSuite, withinRacesSuite, listsSuite, listsWithinSuite, searchSuite, measureSuite],
  objects: [objectsSuite, objectListsSuite, multipartsSuite, concurrencySuite, treeSuite],
  uploads: [
    leasesSuite,
    additionsSuite,
    uploadsSuite,
    uploadWritersSuite,
    batchesSuite,
    batchUploadsSuite,
    commitBatchSuite,
    linksSuite,
  ],
  trash: [
    ...[trashSuite, trashListsSuite, trashRestoreSuite, versionsSuite, trashTreeSuite],
    ...[
      lifetimesSuite,
      lifetimesTreeSuite,
      undoSuite,
      undoAgainSuite,
      undoConflictsSuite,
      undoContentsSuite,
    ],
  ],
  quotas: [quotasSuite, quotasTreeSuite],
  others: [
    ...[credentialsSuite, passkeysSuite, scopedKeysSuite, peopleSuite],
    ...[insightSuite, trafficSuite, feedSuite],
  ],
};
export type CatalogPart = keyof typeof parts;

/** A part of the contract suite of the catalog's port, for every engine. */
export function catalogSuite(name: string, part: CatalogPart, open: OpenCatalogFixture): void {
  describe(name, () => {
    let current: CatalogFixture | undefined;
    beforeEach(async () => {
      current = await open();
    });
    afterEach(async () => {
      try {
        // Whatever has written a name.
        const names = (await current?.fileNames()) ?? [];
        expect(names.filter(({ name, sortKey }) => sortKey !== naturalName(name))).toEqual([]);
      } finally {
        await current?.end();
      }
    });
    const fixture = (): CatalogFixture => {
      if (current === undefined) throw new Error("No catalog is open.");
      return current;
    };
    for (const suite of parts[part]) suite(fixture);
  });
}
