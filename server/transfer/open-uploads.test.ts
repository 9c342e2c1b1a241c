import { Database } from "bun:sqlite";
import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { join } from "node:path";
import { openSqliteCatalog } from "../catalog/sqlite/sqlite-catalog.ts";
import { createSqliteDestination } from "../catalog/sqlite/sqlite-destination.ts";
import { openSqliteMoveSource } from "../catalog/sqlite/sqlite-move-source.ts";
import { storeMultipart } from "../files/open-multipart.fixture.ts";
import { storeUploads } from "../files/open-uploads.fixture.ts";
import type { Finding } from "../files/verify/finding.ts";
import { verify } from "../files/verify/verify.ts";
import { backup } from "./backup.ts";
import { move } from "./move.ts";
import { restore } from "./restore.ts";
import { openTransferFixture, type TransferFixture } from "./transfer.fixture.ts";

let fixture: TransferFixture;
beforeEach(async () => {
  fixture = await openTransferFixture();
  await fixture.put("a/b", "content");
  const path = join(fixture.folder, "catalog.sqlite");
  await storeUploads({ catalog: fixture.catalog, blobs: fixture.blobs, path });
  await storeMultipart(fixture);
});
afterEach(() => fixture.end());

type Copy = Pick<Awaited<ReturnType<TransferFixture["destination"]>>, "blobs">;

const TRANSIENT_TABLES = [
  ...["uploads", "batches", "batch_members", "batch_folders"],
  ...["multipart_uploads", "multipart_parts"],
];

/** The copy has the file, and nothing of the uploads and the batch. */
async function expectClean(path: string, { blobs }: Copy): Promise<void> {
  const database = new Database(path);
  for (const table of TRANSIENT_TABLES) {
    expect(database.query(`SELECT * FROM ${table}`).all()).toEqual([]);
  }
  database.close();
  const catalog = await openSqliteCatalog({ path, exclusive: true });
  const findings: Finding[] = [];
  const tally = await verify({
    catalog,
    blobs,
    depth: "bytes",
    progress: () => {},
    onFinding: (finding) => void findings.push(finding),
  });
  await catalog.close();
  expect(findings).toEqual([]);
  expect(tally).toMatchObject({ files: 1, passedOver: 0 });
  const stored = await Array.fromAsync(blobs.listBlocks(), (block) => blobs.listBlock(block));
  expect(stored.flat()).toHaveLength(1);
}

describe("open uploads and batches", () => {
  test("are left out of a backup, and of what is restored from it", async () => {
    const saved = await fixture.destination("backup");
    const publish = async () => {};
    const { report } = fixture;
    const done = await backup({
      ...report,
      ledger: fixture.catalog,
      from: fixture.blobs,
      takeSnapshot: fixture.snapshot,
      to: { ...saved, publish },
    });
    expect(done).toMatchObject({ copied: { files: 1 }, removed: 0, damaged: 0 });
    const restored = await fixture.destination("restored");
    const snapshot = await fixture.snapshot();
    await restore({ ...report, snapshot, from: saved.blobs, to: { ...restored, publish } });
    snapshot.close();
    await expectClean(join(fixture.folder, "snapshot.sqlite"), restored);
    expect(await fixture.catalog.openUploads()).toMatchObject({ count: 1 });
  });

  test("are not moved", async () => {
    const path = join(fixture.folder, "moved.sqlite");
    const source = await openSqliteMoveSource(join(fixture.folder, "catalog.sqlite"), "verify");
    const { blobs } = await fixture.destination("moved");
    const draft = createSqliteDestination(path);
    const open = async () => (await fixture.destination("moved")).copies;
    const moved = await move({
      ...fixture.report,
      source,
      from: fixture.blobs,
      to: { open, blobs, draft, isPublished: false, publish: async () => {} },
    });
    expect(moved).toMatchObject({ copied: { files: 1 }, checked: { files: 1 } });
    await draft.close();
    await source.close();
    await expectClean(path, { blobs });
  });
});
