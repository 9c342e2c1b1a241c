import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { createDiskBlobs } from "../../blobs/disk/disk.ts";
import type { Blobs } from "../../blobs/port.ts";
import { createSpaceGuard, type SpaceClaim } from "./free-space.ts";

const MB = 1024 ** 2;
const GB = 1024 ** 3;

let folder: string;
let blobs: Blobs;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "holdall-space-"));
  blobs = await createDiskBlobs(folder);
});
afterAll(() => rmSync(folder, { recursive: true }));

/** A store on a volume with this much free space, until `fill` uses some. */
function createVolume(free: number | null) {
  const volume = {
    free,
    blobs: { ...blobs, freeSpace: () => Bun.sleep(0).then(() => volume.free) },
    fill(bytes: number) {
      if (volume.free !== null) volume.free -= bytes;
    },
  };
  return volume;
}

const noSpace = { kind: "no_space", message: expect.stringContaining("free space") };

const outcomeOf = (work: Promise<unknown> | undefined): Promise<unknown> =>
  Promise.resolve(work).then(
    () => "fits",
    (error: unknown) => error,
  );

describe("many uploads", () => {
  test("share a measurement while there is ample space", async () => {
    let measured = 0;
    const { blobs: store } = createVolume(100 * GB);
    const freeSpace = () => {
      measured += 1;
      return store.freeSpace();
    };
    const guard = createSpaceGuard({ ...store, freeSpace }, () => 0);
    await guard.admit(1);
    for (let i = 0; i < 100; i += 1) (await guard.admit(MB)).release();
    expect(measured).toBeLessThan(10);
  });

  test("do not rely on a measurement for what was written or claimed since", async () => {
    const volume = createVolume(10 * GB);
    const guard = createSpaceGuard(volume.blobs, () => 0);
    const claim = await guard.admit(4 * GB);
    await claim.write(4 * GB);
    volume.fill(4 * GB);
    await guard.admit(5 * GB);
    expect(await outcomeOf(guard.admit(1 * GB + 1))).toMatchObject(noSpace);
    expect(await outcomeOf(guard.admit(1 * GB))).toBe("fits");
  });
});

describe("an upload of known size", () => {
  test("is admitted up to the reserve, to the byte", async () => {
    const guard = createSpaceGuard(createVolume(1000).blobs, () => 300);
    expect(await outcomeOf(guard.admit(701))).toMatchObject(noSpace);
    const claim = await guard.admit(700);
    expect(await outcomeOf(guard.admit(1))).toMatchObject(noSpace);
    claim.release();
    expect(await outcomeOf(guard.admit(700))).toBe("fits");
  });

  test("does not get space that other uploads have claimed or used", async () => {
    const volume = createVolume(1000);
    const guard = createSpaceGuard(volume.blobs, () => 0);
    const claim = await guard.admit(600);
    await claim.write(400);
    volume.fill(400);
    expect(await outcomeOf(guard.admit(401))).toMatchObject(noSpace);
    const rest = await guard.admit(400);
    rest.release();
    claim.release();
    expect(await outcomeOf(guard.admit(601))).toMatchObject(noSpace);
    expect(await outcomeOf(guard.admit(600))).toBe("fits");
  });

  test("leaves as much room for open uploads as before if one of them has declared its bytes", async () => {
    const volume = createVolume(1000);
    const guard = createSpaceGuard(volume.blobs, () => 0);
    const form = await guard.admit(100);
    const declared = await guard.admit(600, true);
    expect(await guard.room()).toBe(900);
    expect(await outcomeOf(guard.admit(301))).toMatchObject(noSpace);
    await declared.write(400);
    volume.fill(400);
    expect(await guard.room()).toBe(500);
    declared.release();
    form.release();
    expect(await guard.room()).toBe(600);
    // As much as the body of a request whose size is not known.
    const chunked = await guard.admit(0, true);
    await chunked.write(500);
    volume.fill(500);
    expect(await guard.room()).toBe(100);
    chunked.release();
    expect(await guard.room()).toBe(100);
  });

  test("writes within its claim without asking the volume", async () => {
    const claim = await createSpaceGuard(createVolume(1000).blobs, () => 0).admit(600);
    for (let n = 0; n < 6; n += 1) expect(claim.write(100)).toBeUndefined();
    expect(await outcomeOf(claim.write(1001))).toMatchObject(noSpace);
    claim.release();
  });

  test("is admitted only while it fits, among 100 concurrent ones", async () => {
    const guard = createSpaceGuard(createVolume(1000).blobs, () => 50);
    const outcomes = await Promise.all(
      Array.from({ length: 100 }, () => outcomeOf(guard.admit(100))),
    );
    expect(outcomes.filter((outcome) => outcome === "fits")).toHaveLength(9);
  });
});

describe("an upload of unknown size", () => {
  test("is rejected when a write would use the reserve", async () => {
    const volume = createVolume(GB);
    const guard = createSpaceGuard(volume.blobs, () => 256 * MB);
    const claim = await guard.admit(0);
    let written = 0;
    let outcome: unknown = "fits";
    while (outcome === "fits") {
      outcome = await outcomeOf(claim.write(MB));
      if (outcome !== "fits") break;
      volume.fill(MB);
      written += MB;
    }
    expect(outcome).toMatchObject(noSpace);
    expect(written).toBe(768 * MB);
    claim.release();
    expect(await outcomeOf(guard.admit(0))).toBe("fits");
  });

  test("may be written in chunks of any size", async () => {
    const guard = createSpaceGuard(createVolume(GB).blobs, () => 0);
    const claim = await guard.admit(0);
    await claim.write(900 * MB);
    expect(await outcomeOf(claim.write(GB + 1))).toMatchObject(noSpace);
    claim.release();
    expect(await outcomeOf(guard.admit(GB))).toBe("fits");
  });
});

test("a store without a limit admits everything", async () => {
  const guard = createSpaceGuard(createVolume(null).blobs, () => GB);
  const claim = await guard.admit(Number.MAX_SAFE_INTEGER);
  await claim.write(1000);
  await (await guard.admit(0)).write(1000 * GB);
});

test("the real disk admits one byte and rejects an exabyte", async () => {
  const guard = createSpaceGuard(blobs, () => 0);
  expect(await outcomeOf(guard.admit(1))).toBe("fits");
  expect(await outcomeOf(guard.admit(2 ** 60))).toMatchObject(noSpace);
  const free = (await blobs.freeSpace()) ?? 0;
  expect(await outcomeOf(createSpaceGuard(blobs, () => free * 2).admit(0))).toMatchObject(noSpace);
});

interface Step {
  readonly upload: number;
  readonly bytes: number;
}

const anySize = fc.oneof(fc.nat(100), fc.nat(100 * MB));
const anySteps = fc.array(fc.record({ upload: fc.nat(4), bytes: anySize }), { maxLength: 30 });
const anyUploads = fc.array(anySize, { minLength: 5, maxLength: 5 });

/** Runs concurrent uploads, each of which writes its chunks until it is rejected or done. */
async function runUploads(
  guard: ReturnType<typeof createSpaceGuard>,
  volume: ReturnType<typeof createVolume>,
  expected: readonly number[],
  steps: readonly Step[],
): Promise<void> {
  await Promise.all(
    expected.map(async (length, upload) => {
      let claim: SpaceClaim | undefined;
      try {
        claim = await guard.admit(length);
        for (const { bytes } of steps.filter((step) => step.upload === upload)) {
          await claim.write(bytes);
          volume.fill(bytes);
          await Bun.sleep(0);
        }
      } catch (error) {
        expect(error).toMatchObject(noSpace);
      } finally {
        claim?.release();
      }
    }),
  );
}

test("any concurrent uploads keep the reserve free and release every claim", async () => {
  await fc.assert(
    fc.asyncProperty(anyUploads, anySteps, fc.nat(200 * MB), async (expected, steps, size) => {
      const reserve = 10 * MB;
      const volume = createVolume(size + reserve);
      const guard = createSpaceGuard(volume.blobs, () => reserve);
      await runUploads(guard, volume, expected, steps);
      const left = (volume.free ?? 0) - reserve;
      expect(left).toBeGreaterThanOrEqual(0);
      expect(await outcomeOf(guard.admit(left + 1))).toMatchObject(noSpace);
      const claim = await guard.admit(left);
      claim.release();
      // Releasing again changes nothing.
      claim.release();
      expect(await outcomeOf(guard.admit(left + 1))).toMatchObject(noSpace);
    }),
    { numRuns: 300 },
  );
});

describe("owed space", () => {
  test("is not available to uploads, not even for earlier claims", async () => {
    const volume = createVolume(1000);
    let owed = 0;
    const guard = createSpaceGuard(
      volume.blobs,
      () => 0,
      () => owed,
    );
    const claim = await guard.admit(600);
    expect(claim.write(100)).toBeUndefined();
    volume.fill(900);
    owed = 100;
    expect(await outcomeOf(claim.write(1))).toMatchObject(noSpace);
    expect(await outcomeOf(guard.admit(0))).toBe("fits");
    expect(await outcomeOf(guard.admit(1))).toMatchObject(noSpace);
    volume.fill(50);
    expect(await outcomeOf(guard.admit(0))).toMatchObject(noSpace);
    volume.fill(-500);
    expect(await outcomeOf(claim.write(400))).toBe("fits");
    volume.fill(400);
    owed = 0;
    expect(await outcomeOf(guard.admit(150))).toBe("fits");
    claim.release();
  });
});
