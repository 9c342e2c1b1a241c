import { Database } from "bun:sqlite";
import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { join } from "node:path";
import type { BlobCopies } from "../blobs/port.ts";
import { LEASE_SECONDS } from "../catalog/port/blob-ledger.ts";
import { AUTHORIZED_COMMAND } from "../domain/callers/authorize.ts";
import { COMMAND_EVERYWHERE } from "../domain/callers/caller.ts";
import { Fault } from "../domain/faults/fault.ts";
import { backup } from "./backup.ts";
import { openTransferFixture, type TransferFixture } from "./transfer.fixture.ts";

let fixture: TransferFixture;
beforeEach(async () => {
  fixture = await openTransferFixture();
});
afterEach(() => fixture.end());

/** Makes a backup; `meanwhile` runs after the snapshot and before anything is copied. */
async function run(
  meanwhile: () => Promise<unknown>,
  change = (copies: BlobCopies): BlobCopies => copies,
) {
  const { copies, blobs } = await fixture.destination("backup");
  let published = 0;
  const done = backup({
    ledger: fixture.catalog,
    from: fixture.blobs,
    async takeSnapshot() {
      const snapshot = await fixture.snapshot();
      await meanwhile();
      return snapshot;
    },
    to: {
      copies: change(copies),
      blobs,
      publish: async () => {
        published += 1;
      },
    },
    ...fixture.report,
  });
  const result = await done.then(
    (value) => value,
    (error: unknown) => error,
  );
  return { result, published, copies, blobs };
}

describe("a backup", () => {
  test("contains files that are deleted while it is made", async () => {
    const ids: string[] = [];
    for (let n = 0; n < 20; n += 1) ids.push(await fixture.put(`f/${n}`, `content ${n}`));
    const stored = await Array.fromAsync(fixture.blobs.listBlocks(), (b) =>
      fixture.blobs.listBlock(b),
    );
    const { result } = await run(async () => {
      await fixture.files.remove(AUTHORIZED_COMMAND, ids.slice(0, 10));
      const folder = await fixture.files.browse(AUTHORIZED_COMMAND, { key: "f" });
      await fixture.files.removeFolder(AUTHORIZED_COMMAND, folder.folder.id);
      await fixture.files.sweep();
      await fixture.put("later", "not in the backup");
    });
    expect(result).toMatchObject({ copied: { files: 20 }, damaged: 0, removed: 0 });
    expect(fixture.problems).toEqual([]);
    const { blobs } = await fixture.destination("backup");
    const copied = await Array.fromAsync(blobs.listBlocks(), (b) => blobs.listBlock(b));
    expect(copied.flat().sort()).toEqual(stored.flat().sort());
    // The hold has ended: the next sweep removes the blobs that it kept.
    expect(await fixture.catalog.hasBackupHold()).toBe(false);
    await fixture.files.sweep();
    expect(await fixture.catalog.condemnedBlobs(100)).toEqual([]);
  });

  test("contains the trash", async () => {
    const ids = [await fixture.put("f/a", "a"), await fixture.put("f/b/c", "c")];
    await fixture.catalog.trashFiles(COMMAND_EVERYWHERE, {
      ids: ids.slice(0, 1),
      keepMs: 86_400_000,
    });
    const { folder } = await fixture.files.browse(AUTHORIZED_COMMAND, { key: "f/b" });
    await fixture.catalog.trashFolder(COMMAND_EVERYWHERE, { id: folder.id, keepMs: 86_400_000 });
    const { result } = await run(async () => {
      await fixture.catalog.purgeTrash(COMMAND_EVERYWHERE, { ids });
      await fixture.files.sweep();
    });
    expect(result).toMatchObject({ copied: { files: 2 }, damaged: 0, removed: 0 });
  });

  test("whose hold has expired fails and publishes nothing", async () => {
    const id = await fixture.put("a", "bytes");
    const { result, published } = await run(async () => {
      const database = new Database(join(fixture.folder, "catalog.sqlite"));
      database.run("UPDATE holds SET heartbeat = heartbeat - ?", [(LEASE_SECONDS + 5) * 1000]);
      database.close();
      await fixture.files.remove(AUTHORIZED_COMMAND, [id]);
    });
    expect(result).toBeInstanceOf(Error);
    expect(String(result)).toContain("Run it again");
    expect(published).toBe(0);
  });

  test("on a full disk fails with no_space, and the next attempt continues", async () => {
    for (let n = 0; n < 10; n += 1) await fixture.put(`${n}`, `content ${n}`);
    let created = 0;
    const full = (copies: BlobCopies): BlobCopies => ({
      ...copies,
      create(id) {
        created += 1;
        if (created > 5) throw new Fault("no_space", "There is not enough free space.");
        return copies.create(id);
      },
    });
    const first = await run(async () => {}, full);
    expect(first.result).toMatchObject({ kind: "no_space" });
    expect(first.published).toBe(0);
    expect(await fixture.catalog.hasBackupHold()).toBe(false);
    const second = await run(async () => {});
    expect(second.result).toMatchObject({ copied: { files: 5 }, existing: { files: 5 } });
    expect(second.published).toBe(1);
    expect(fixture.report.progress.files).toBeGreaterThanOrEqual(10);
  });
});
