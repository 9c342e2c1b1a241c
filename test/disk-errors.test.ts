import { expect, test } from "bun:test";
import { readdirSync, symlinkSync, unlinkSync } from "node:fs";
import { join } from "node:path";
import { api, send } from "./client.ts";
import { startServer } from "./harness.ts";
import { isMissing } from "./reason-to-skip.fixture.ts";
import { isOnS3 } from "./test-stores.ts";

const noLinux = isMissing("Linux", process.platform === "linux");

test.skipIf(noLinux || isOnS3)(
  "a read that the disk refuses is 503, and the log says so once",
  async () => {
    const server = await startServer({ WORKERS: "1" });
    try {
      await api(server).put("broken.txt", "text");
      const blobs = join(server.dataPath, "blobs");
      const found = readdirSync(blobs, { recursive: true, withFileTypes: true });
      for (const file of found.filter((entry) => entry.isFile())) {
        const path = join(file.parentPath, file.name);
        unlinkSync(path);
        // The kernel answers EIO: nothing is mapped at its first address.
        symlinkSync("/proc/self/mem", path);
      }
      for (let n = 0; n < 3; n += 1) {
        const answer = await send(server, "GET", "/api/hosting/broken.txt");
        expect([answer.status, answer.header("retry-after")]).toEqual([503, "5"]);
      }
      expect(server.output().match(/The disk of the blobs has failed: EIO/g)).toHaveLength(1);
    } finally {
      await server.discard();
    }
  },
);
