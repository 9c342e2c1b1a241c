import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { blockOf } from "../../domain/blob-id.ts";
import type { BlobId } from "../../domain/records.ts";
import { type StoredUploads, storeUploads } from "../open-uploads.fixture.ts";
import { createReaper } from "../reaper.ts";
import { openVerifyFixture, type VerifyFixture } from "./verify.fixture.ts";

let instance: VerifyFixture;
let stored: StoredUploads;
beforeEach(async () => {
  instance = await openVerifyFixture();
  stored = await storeUploads(instance.fixture);
});
afterEach(() => instance.fixture.end());

async function expectOnly(ids: readonly BlobId[]): Promise<void> {
  const { findings, tally } = await instance.verify();
  expect({ findings, files: tally.files, passedOver: tally.passedOver }).toEqual({
    findings: [],
    files: 0,
    passedOver: 0,
  });
  expect(await instance.fixture.stored()).toEqual([...ids].sort((one, other) => one - other));
}

const drain = (): Promise<void> => {
  const { catalog: ledger, blobs, onError } = instance.fixture;
  return createReaper({ ledger, blobs, onError }).drain();
};

describe("blobs of open uploads and batches", () => {
  test("are no orphans, and survive sweeps and restarts", async () => {
    await instance.fixture.catalog.releaseLeasesOf(stored.owner);
    expect(await instance.fixture.createSweep().expired()).toBe(0);
    expect(await instance.fixture.catalog.leaseState(blockOf(stored.upload.blobId))).toBe("none");
    await expectOnly(stored.blobs);
    await instance.fixture.restart();
    expect(await instance.fixture.createSweep().expired()).toBe(0);
    await drain();
    await expectOnly(stored.blobs);
    const growing = await instance.fixture.blobs.grow(stored.upload.blobId, {
      offset: 4,
      growth: null,
    });
    await growing.write(Buffer.from("n on"));
    await growing.seal();
    expect(await instance.fixture.blobs.sizeOf(stored.upload.blobId)).toBe(8);
  });

  test("are gone once they are removed, or have expired", async () => {
    const { catalog } = instance.fixture;
    await catalog.releaseLeasesOf(stored.owner);
    await instance.fixture.createSweep().expired();
    await catalog.removeUpload(stored.upload.id);
    await drain();
    await expectOnly(stored.blobs.filter((id) => stored.members.includes(id)));
    while (await catalog.removeExpiredUploads(Date.now() + 10 * 3_600_000, 1));
    await drain();
    await expectOnly([]);
    expect(await catalog.condemnedBlobs(10)).toEqual([]);
  });

  test("stay while a damaged record condemns them", async () => {
    const { catalog } = instance.fixture;
    const { run } = stored;
    run(`INSERT INTO condemned SELECT blob_id, 0 FROM uploads WHERE state = 'open'`);
    run(`INSERT INTO condemned SELECT tail_blob_id, 0 FROM uploads WHERE tail_blob_id IS NOT NULL`);
    run(`INSERT INTO condemned SELECT blob_id, 0 FROM batch_members`);
    await drain();
    expect(await instance.fixture.stored()).toEqual(
      [...stored.blobs].sort((one, other) => one - other),
    );
    const kinds = await Array.fromAsync(catalog.inspect(), ({ problem }) => problem);
    expect(kinds).toEqual(stored.blobs.map(() => "condemned" as const));
  });
});
