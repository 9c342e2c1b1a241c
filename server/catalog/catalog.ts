import { createChangeMethods, createTreeChanges } from "./changes/changes.ts";
import type { Engine } from "./engine.ts";
import type { Catalog } from "./port/catalog.ts";
import { createBlobQueries } from "./queries/blobs.ts";
import { createCredentialQueries } from "./queries/credentials.ts";
import { createFeedQueries } from "./queries/feed.ts";
import { createFileQueries } from "./queries/files-and-folders.ts";
import { createActivityQueries, createTrafficQueries } from "./queries/insight.ts";
import { createInspection } from "./queries/inspection.ts";
import { createLinkQueries } from "./queries/links.ts";
import { createMultipartQueries } from "./queries/multiparts.ts";
import { createObjectQueries } from "./queries/objects.ts";
import { createStatistics } from "./queries/statistics.ts";
import { createTrashQueries } from "./queries/trash.ts";
import { createUploadQueries } from "./queries/uploads.ts";
import { createVersionQueries } from "./queries/versions.ts";

/** The catalog on any engine: queries and changes are the same on all of them. */
export function createCatalog(engine: Engine): Catalog {
  const { db, change } = engine;
  const { countNextTrash, ...trash } = createTrashQueries(engine);
  return {
    ...createFeedQueries(engine),
    ...createFileQueries(engine),
    ...createBlobQueries(engine),
    ...createCredentialQueries(engine),
    ...createActivityQueries(engine),
    ...createTrafficQueries(engine),
    ...createStatistics(engine),
    ...createInspection(engine),
    ...createUploadQueries(engine),
    ...createObjectQueries(engine),
    ...createMultipartQueries(engine),
    ...createLinkQueries(engine),
    ...trash,
    ...createVersionQueries(engine),
    ...createChangeMethods(change),
    by: (actor) => createTreeChanges(change, actor),
    async countTrash() {
      const counted = await countNextTrash();
      if (counted !== undefined) await change("setTrashCount", [counted]);
      return counted !== undefined;
    },
    async hasBackupHold() {
      // There is hardly ever a hold, and then no caller has to wait for a commit.
      const found = await db.selectFrom("holds").select("owner").limit(1).executeTakeFirst();
      return found !== undefined && change("removeExpiredHolds", []);
    },
    catalogSize: () => engine.catalogSize(),
    missingReserve: engine.missingReserve,
    ping: () => engine.ping(),
    close: () => engine.close(),
  };
}
