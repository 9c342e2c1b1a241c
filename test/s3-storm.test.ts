import { expect, test } from "bun:test";
import { hasS3Server, s3Server } from "../server/blobs/s3/s3-server.fixture.ts";
import { storm } from "./s3-fault-storm.ts";

test.skipIf(!hasS3Server)(
  "loses no acknowledged file and leaves no orphans while a tenth of S3's responses fail",
  async () => {
    const settings = await (await s3Server()).fresh();
    const { faults, refused, ...report } = await storm(settings, 300, 20_261);
    expect(report).toMatchObject({ lost: [], leftovers: [], problems: [] });
    // About 38 ± 6: which requests fail depends on timing.
    expect(faults).toBeGreaterThan(10);
    // Most operations fail only after three failed attempts.
    expect(refused).toBeLessThan(30);
  },
  180_000,
);
