import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describeBlobs } from "../blobs.suite.ts";
import { createDiskBlobs } from "./disk.ts";

describeBlobs("disk", async () => {
  const folder = await mkdtemp(join(tmpdir(), "holdall-blobs-"));
  return {
    blobs: await createDiskBlobs(join(folder, "new", "blobs")),
    close: () => rm(folder, { recursive: true }),
  };
});
