import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { join } from "node:path";
import { createS3Blobs } from "../blobs/s3/s3.ts";
import { hasS3Server, s3Server } from "../blobs/s3/s3-server.fixture.ts";
import { blockOf } from "../rules/blob-id.ts";
import type { BlobId } from "../rules/records.ts";
import { type FilesFixture, openFilesFixture } from "./files.fixture.ts";
import { createSweep } from "./sweep.ts";

const MIB = 1024 ** 2;

describe.skipIf(!hasS3Server)("sweeps of blocks on S3", () => {
  let fixture: FilesFixture;
  beforeAll(async () => {
    fixture = await openFilesFixture();
  });
  afterAll(() => fixture.end());

  test("a sweep keeps the growing blobs that the catalog knows and removes the others", async () => {
    const settings = await (await s3Server()).fresh();
    const staging = join(fixture.blobFolder, "..", "staging");
    const open = () => createS3Blobs({ settings, staging, onTrouble: () => {} });
    const [writer, sweeper] = [await open(), await open()];
    const allocator = fixture.createAllocator();

    async function begin(id: BlobId) {
      const blob = await writer.grow(id, { offset: 0, growth: null });
      await blob.write(new Uint8Array(9 * MIB).fill(7));
      const { stored, growth } = await blob.checkpoint();
      await blob.close();
      return { offset: stored, growth };
    }

    const [known, orphan] = [await allocator.take(), await allocator.take()];
    const [knownStart, orphanStart] = [await begin(known), await begin(orphan)];
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
  }, 30_000);
});
