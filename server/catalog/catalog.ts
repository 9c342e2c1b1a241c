import { SYSTEM } from "../domain/callers/caller.ts";
import { createBlobQueries } from "./blobs/blobs.ts";
import { createInspection } from "./blobs/inspection.ts";
import { createChangeMethods } from "./changes.ts";
import type { Engine } from "./engine/engine.ts";
import { createFeedQueries } from "./feed/feed.ts";
import { createFetchQueries } from "./fetches/read-fetches.ts";
import { createFileQueries } from "./files-and-folders.ts";
import { createCounterQueries } from "./insight/counter-queries.ts";
import { createActivityQueries } from "./insight/insight.ts";
import { createStatistics } from "./insight/statistics.ts";
import { createCredentialQueries } from "./keys/credentials.ts";
import { createLinkQueries } from "./links/read-links.ts";
import { createMultipartQueries } from "./objects/multiparts.ts";
import { createObjectQueries } from "./objects/objects.ts";
import { createPeopleQueries } from "./people/read-people.ts";
import type { Catalog } from "./port/catalog.ts";
import { createQuotaQueries } from "./quotas/read-quotas.ts";
import { createEndedFiles } from "./trash/ended-files.ts";
import { createVersionQueries } from "./trash/read-versions.ts";
import { createTrashQueries } from "./trash/trash.ts";
import { createUploadQueries } from "./uploads/uploads.ts";
import { createWebhookQueries } from "./webhooks/read-webhooks.ts";

/** The catalog on any engine: queries and changes are the same on all of them. */
export function createCatalog(engine: Engine): Catalog {
  const { db, change } = engine;
  const { countNextTrash, ...trash } = createTrashQueries(engine);
  return {
    ...createFeedQueries(engine),
    ...createFileQueries(engine),
    ...createBlobQueries(engine),
    ...createCredentialQueries(engine),
    ...createPeopleQueries(engine),
    ...createActivityQueries(engine),
    ...createCounterQueries(engine),
    ...createStatistics(engine),
    ...createInspection(engine),
    ...createUploadQueries(engine),
    ...createObjectQueries(engine),
    ...createMultipartQueries(engine),
    ...createLinkQueries(engine),
    ...createQuotaQueries(engine),
    ...createWebhookQueries(engine),
    ...createFetchQueries(engine),
    ...trash,
    endedFiles: createEndedFiles(engine),
    ...createVersionQueries(engine),
    ...createChangeMethods(change),
    async countTrash() {
      const counted = await countNextTrash();
      if (counted !== undefined) await change("setTrashCount", [counted], SYSTEM);
      return counted !== undefined;
    },
    async hasBackupHold() {
      // There is hardly ever a hold, and then no caller has to wait for a commit.
      const found = await db.selectFrom("holds").select("owner").limit(1).executeTakeFirst();
      return found !== undefined && change("removeExpiredHolds", [], SYSTEM);
    },
    catalogSize: () => engine.catalogSize(),
    missingReserve: engine.missingReserve,
    now: engine.now,
    ping: () => engine.ping(),
    close: () => engine.close(),
  };
}
