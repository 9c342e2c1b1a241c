import { describe } from "bun:test";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describeBlobs } from "../blobs.suite.ts";
import { createS3Blobs } from "./s3.ts";
import { hasS3Server, s3Server } from "./s3-server.fixture.ts";

describe.skipIf(!hasS3Server)("S3 server", () => {
  describeBlobs("S3", async () => {
    const settings = await (await s3Server()).fresh();
    const staging = await mkdtemp(join(tmpdir(), "holdall-staging-"));
    return {
      blobs: await createS3Blobs({ settings, staging, onTrouble: () => {} }),
      close: () => rm(staging, { recursive: true }),
    };
  });
});
