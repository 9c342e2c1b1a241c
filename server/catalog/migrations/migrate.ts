import type { Kysely } from "kysely";
import type { Schema } from "../engine/schema.ts";
import { start } from "./001-010/001-start.ts";
import { holds } from "./001-010/002-holds.ts";
import { typeOrder } from "./001-010/003-type-order.ts";
import { insight } from "./001-010/004-insight.ts";
import { longKeys } from "./001-010/005-long-keys.ts";
import { accessAndChanges } from "./001-010/006-access-and-changes.ts";
import { uploads } from "./001-010/007-uploads.ts";
import { s3 } from "./001-010/008-s3.ts";
import { undoAndSharing } from "./001-010/009-undo-and-sharing.ts";
import { visitorBatches } from "./001-010/010-visitor-batches.ts";
import { folderVisibility } from "./011-020/011-folder-visibility.ts";
import { keyRotation } from "./011-020/012-key-rotation.ts";
import { secondFactor } from "./011-020/013-second-factor.ts";
import { activitySubjects } from "./011-020/014-activity-subjects.ts";
import { passkeys } from "./011-020/015-passkeys.ts";
import { keyTraffic } from "./011-020/016-key-traffic.ts";
import { naturalNames } from "./011-020/017-natural-names.ts";
import { trafficDetails } from "./011-020/018-traffic-details.ts";
import { trashFolders } from "./011-020/019-trash-folders.ts";
import { repeatedUploads } from "./011-020/020-repeated-uploads.ts";
import { charsets } from "./021-030/021-charsets.ts";
import { counters } from "./021-030/022-counters.ts";
import { bucketSettings } from "./021-030/023-bucket-settings.ts";
import { keptPublic } from "./021-030/024-kept-public.ts";
import { webhooks } from "./021-030/025-webhooks.ts";
import { lifetimes } from "./021-030/026-lifetimes.ts";
import { undo } from "./021-030/027-undo.ts";
import { quotas } from "./021-030/028-quotas.ts";
import { people } from "./021-030/029-people.ts";
import { undoContents } from "./021-030/030-undo-contents.ts";
import { credentialChanges } from "./031-040/031-credential-changes.ts";
import { queuedDeliveries } from "./031-040/032-queued-deliveries.ts";
import type { ColumnTypes, Migration } from "./migration.ts";

/** The n-th migration leads to version n. Append only. */
const migrations: readonly Migration[] = [
  start,
  holds,
  typeOrder,
  insight,
  longKeys,
  accessAndChanges,
  uploads,
  s3,
  undoAndSharing,
  visitorBatches,
  folderVisibility,
  keyRotation,
  secondFactor,
  activitySubjects,
  passkeys,
  keyTraffic,
  naturalNames,
  trafficDetails,
  trashFolders,
  repeatedUploads,
  charsets,
  counters,
  bucketSettings,
  keptPublic,
  webhooks,
  lifetimes,
  undo,
  quotas,
  people,
  undoContents,
  credentialChanges,
  queuedDeliveries,
];

/** Whether there are tables of this version. Error: a newer version of Holdall wrote them. */
export async function isUpToDate(db: Kysely<Schema>): Promise<boolean> {
  const tables = await db.introspection.getTables();
  return tables.some(({ name }) => name === "migrations") && isOfThisVersion(db);
}

/** The same for tables that exist. */
export async function isOfThisVersion(db: Kysely<Schema>): Promise<boolean> {
  return (await currentVersion(db)) === migrations.length;
}

/** Whether there are no tables yet. */
export async function isEmpty(db: Kysely<Schema>): Promise<boolean> {
  return (await db.introspection.getTables()).length === 0;
}

/**
 * Runs the missing schema migrations, in a transaction of the caller, which must exclude other
 * migrations. Returns the versions that were reached. Error: a newer version of Holdall wrote the
 * tables. `to`: the last version, for the tables of an older release.
 */
export async function migrate(
  db: Kysely<Schema>,
  types: ColumnTypes,
  to = migrations.length,
): Promise<number[]> {
  await db.schema
    .createTable("migrations")
    .ifNotExists()
    .addColumn("version", types.integer, (column) => column.notNull().primaryKey())
    .addColumn("applied_at", types.integer, (column) => column.notNull())
    .modifyEnd(types.tableEnd)
    .execute();
  const reached: number[] = [];
  const from = await currentVersion(db);
  for (const [index, step] of migrations.entries()) {
    const version = index + 1;
    if (version <= from || version > to) continue;
    await step(db, types);
    await db.insertInto("migrations").values({ version, applied_at: Date.now() }).execute();
    reached.push(version);
  }
  return reached;
}

async function currentVersion(db: Kysely<Schema>): Promise<number> {
  const row = await db
    .selectFrom("migrations")
    .select("version")
    .orderBy("version", "desc")
    .limit(1)
    .executeTakeFirst();
  const version = row?.version ?? 0;
  if (version > migrations.length) {
    throw new Error(
      `The catalog has version ${version}, which a newer Holdall wrote; this one knows versions up to ${migrations.length}. Please run the newer one.`,
    );
  }
  return version;
}
