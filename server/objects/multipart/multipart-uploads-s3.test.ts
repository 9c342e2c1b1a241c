import { describe } from "bun:test";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createS3Blobs } from "../../blobs/s3/s3.ts";
import { hasS3Server, s3Server } from "../../blobs/s3/s3-server.fixture.ts";
import { type ObjectsFixture, openObjectsFixture } from "../objects.fixture.ts";
import { testMultipartUploads } from "./multipart-uploads.suite.ts";

describe.skipIf(!hasS3Server)("S3 server", () => testMultipartUploads("S3", openOnS3));

async function openOnS3(): Promise<ObjectsFixture> {
  const settings = await (await s3Server()).fresh();
  const staging = await mkdtemp(join(tmpdir(), "holdall-staging-"));
  const fixture = await openObjectsFixture(
    await createS3Blobs({ settings, staging, onTrouble: () => {} }),
  );
  return {
    ...fixture,
    async end() {
      await fixture.end();
      await rm(staging, { recursive: true });
    },
  };
}
