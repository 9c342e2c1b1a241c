import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { blockOf } from "../../domain/blob-id.ts";
import type { BlobId } from "../../domain/records.ts";
import { type StoredMultipart, storeMultipart } from "../open-multipart.fixture.ts";
import { createReaper } from "../reaper.ts";
import { openVerifyFixture, type VerifyFixture } from "./verify.fixture.ts";

let instance: VerifyFixture;
let stored: StoredMultipart;
beforeEach(async () => {
  instance = await openVerifyFixture();
  stored = await storeMultipart(instance.fixture);
});
afterEach(() => instance.fixture.end());

async function expectOnly(ids: readonly BlobId[]): Promise<void> {
  const { findings, tally } = await instance.verify();
  expect({ findings, passedOver: tally.passedOver }).toEqual({ findings: [], passedOver: 0 });
  expect(await instance.fixture.stored()).toEqual([...ids].sort((one, other) => one - other));
}

const drain = (): Promise<void> => {
  const { catalog: ledger, blobs, onError } = instance.fixture;
  return createReaper({ ledger, blobs, onError }).drain();
};

describe("blobs of unfinished multipart uploads", () => {
  test("are no orphans, and survive sweeps and restarts", async () => {
    await instance.fixture.catalog.releaseLeasesOf(stored.owner);
    expect(await instance.fixture.createSweep().expired()).toBe(0);
    for (const id of stored.blobs) {
      expect(await instance.fixture.catalog.leaseState(blockOf(id))).toBe("none");
    }
    await expectOnly(stored.blobs);
    await instance.fixture.restart();
    expect(await instance.fixture.createSweep().expired()).toBe(0);
    await drain();
    await expectOnly(stored.blobs);
    const { catalog } = instance.fixture;
    expect(await catalog.partsAfter(stored.upload.id, 0, 9)).toEqual([...stored.parts]);
  });

  test("are gone once they are aborted, or have expired", async () => {
    const { catalog } = instance.fixture;
    await catalog.releaseLeasesOf(stored.owner);
    await instance.fixture.createSweep().expired();
    await catalog.abortMultipart(stored.upload.id);
    await drain();
    await expectOnly([]);
    const other = await storeMultipart(instance.fixture);
    await catalog.releaseLeasesOf(other.owner);
    await instance.fixture.createSweep().expired();
    while (await catalog.removeExpiredMultiparts(Date.now() + 10 * 3_600_000, 1));
    await drain();
    await expectOnly([]);
    expect(await catalog.condemnedBlobs(10)).toEqual([]);
  });

  test("may be written again at places that a killed server was writing", async () => {
    const { catalog } = instance.fixture;
    const place = { uploadId: stored.upload.id, number: 3, size: 100, claim: "killed" };
    expect(await catalog.claimPart(place)).toBeDefined();
    expect(await catalog.claimPart({ ...place, claim: "next" })).toBeUndefined();
    await instance.fixture.restart();
    const again = { ...place, claim: "next" };
    expect(await instance.fixture.catalog.claimPart(again)).toBeDefined();
  });
});
