import { describe } from "bun:test";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describeAssembledBlobs } from "../assembled-blobs.suite.ts";
import { describeBlobs } from "../blobs.suite.ts";
import { describeGrowingBlobs } from "../growing-blobs.suite.ts";
import { PART_SIZES } from "./part-sizes.ts";
import { createS3Blobs } from "./s3.ts";
import { createS3Client } from "./s3-client.ts";
import { blobKey } from "./s3-keys.ts";
import { createMultiparts } from "./s3-multipart.ts";
import { createS3Objects } from "./s3-objects.ts";
import { hasS3Server, s3Server } from "./s3-server.fixture.ts";

describe.skipIf(!hasS3Server)("S3 server", () => {
  describeGrowingBlobs("S3", { unit: 1024 * 1024, runs: 12 }, async () => {
    const settings = await (await s3Server()).fresh();
    const staging = await mkdtemp(join(tmpdir(), "holdall-staging-"));
    const sizes = { ...PART_SIZES, regular: 5 * 1024 ** 2, regularCount: 4, large: 6 * 1024 ** 2 };
    const open = () => createS3Blobs({ settings, staging, sizes, onTrouble: () => {} });
    const client = createS3Client(settings);
    const multiparts = createMultiparts(client, createS3Objects(client).sizeOf);
    return {
      stores: [await open(), await open()],
      cutPower: async () => {},
      async damage(id) {
        for await (const found of multiparts.unfinished(blobKey(id))) await multiparts.abort(found);
      },
      close: () => rm(staging, { recursive: true }),
    };
  });

  describeAssembledBlobs("S3", async () => {
    const settings = await (await s3Server()).fresh();
    const staging = await mkdtemp(join(tmpdir(), "holdall-staging-"));
    return {
      blobs: await createS3Blobs({ settings, staging, onTrouble: () => {} }),
      close: () => rm(staging, { recursive: true }),
    };
  });

  describeBlobs("S3", async () => {
    const settings = await (await s3Server()).fresh();
    const staging = await mkdtemp(join(tmpdir(), "holdall-staging-"));
    return {
      blobs: await createS3Blobs({ settings, staging, onTrouble: () => {} }),
      close: () => rm(staging, { recursive: true }),
    };
  });
});
