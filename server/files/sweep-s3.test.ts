import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { join } from "node:path";
import type { Blobs } from "../blobs/port.ts";
import { createS3Blobs } from "../blobs/s3/s3.ts";
import { hasS3Server, s3Server } from "../blobs/s3/s3-server.fixture.ts";
import { CLOSED_SECONDS } from "../catalog/port/blob-ledger.ts";
import { blockOf } from "../domain/blob-id.ts";
import { COMMAND_EVERYWHERE } from "../domain/callers/caller.ts";
import type { BlobId } from "../domain/records.ts";
import { type FilesFixture, openFilesFixture } from "./files.fixture.ts";
import { createReaper } from "./reaper.ts";
import { createSweep } from "./sweep.ts";
import { createFindOrphans } from "./verify/find-orphans.ts";

const MIB = 1024 ** 2;

describe.skipIf(!hasS3Server)("sweeps of blocks on S3", () => {
  let fixture: FilesFixture;
  beforeAll(async () => {
    fixture = await openFilesFixture();
  });
  afterAll(() => fixture.end());

  /** Two processes with one bucket. */
  async function openStores() {
    const settings = await (await s3Server()).fresh();
    const staging = join(fixture.blobFolder, "..", "staging");
    const open = () => createS3Blobs({ settings, staging, onTrouble: () => {} });
    return [await open(), await open()] as const;
  }

  async function startGrowing(store: Blobs, id: BlobId) {
    const blob = await store.grow(id, { offset: 0, growth: null });
    await blob.write(new Uint8Array(9 * MIB).fill(7));
    const { stored, growth } = await blob.checkpoint();
    await blob.close();
    return { offset: stored, growth };
  }

  test("the growing blobs of removed records are removed", async () => {
    const [writer, remover] = await openStores();
    const allocator = fixture.createAllocator();
    const id = await allocator.take();
    await startGrowing(writer, id);
    const files = await fixture.addFiles(allocator, [id]);
    await fixture.catalog.removeFiles(
      COMMAND_EVERYWHERE,
      files.map((file) => file.id),
    );
    const { catalog: ledger, onError } = fixture;
    await createReaper({ ledger, blobs: remover, onError }).drain();
    expect(await remover.listBlock(blockOf(id))).toEqual([]);
    expect(fixture.errors).toEqual([]);
  });

  test("an object that the store writes after the sweep is named, and removed a day later", async () => {
    const [late, sweeper] = await openStores();
    const allocator = fixture.createAllocator();
    const id = await allocator.take();
    const { lostRecords, onError, catalog } = fixture;
    const ledger = catalog;
    const sweep = createSweep({ ledger, blobs: sweeper, lostRecords, onError });
    await sweep.block(blockOf(id));
    const writer = await late.create(id);
    await writer.write(Buffer.from("late"));
    await writer.seal();

    const blobs = sweeper;
    const orphans = createFindOrphans({ ledger, blobs });
    const named = {
      type: "foreign",
      place: blobs.placeOf(id),
      blobId: id,
      size: 4,
      leftOver: true,
    };
    expect(await orphans.ofBlock(blockOf(id), [id])).toMatchObject([named]);
    await sweep.expired();
    expect(await sweeper.listBlock(blockOf(id))).toEqual([id]);
    fixture.age(CLOSED_SECONDS + 60);
    expect(await sweep.expired()).toBe(1);
    expect(await sweeper.listBlock(blockOf(id))).toEqual([]);
    expect(await catalog.leaseState(blockOf(id))).toBe("none");
    expect(fixture.errors).toEqual([]);
  });

  test("a sweep keeps the growing blobs that the catalog knows and removes the others", async () => {
    const [writer, sweeper] = await openStores();
    const allocator = fixture.createAllocator();

    const [known, orphan] = [await allocator.take(), await allocator.take()];
    const [knownStart, orphanStart] = [
      await startGrowing(writer, known),
      await startGrowing(writer, orphan),
    ];
    expect(knownStart.offset).toBe(8 * MIB);
    await fixture.addFiles(allocator, [known]);

    const { lostRecords, onError, catalog } = fixture;
    const sweep = createSweep({ ledger: catalog, blobs: sweeper, lostRecords, onError });
    expect(await sweep.block(blockOf(known))).toBe(1);
    expect(await sweeper.listBlock(blockOf(known))).toEqual([known]);
    const blob = await sweeper.grow(known, knownStart);
    await blob.seal();
    expect(await sweeper.sizeOf(known)).toBe(8 * MIB);
    await expect(sweeper.grow(orphan, orphanStart)).rejects.toMatchObject({ kind: "gone" });
    expect(fixture.errors).toEqual([]);
  });
});
