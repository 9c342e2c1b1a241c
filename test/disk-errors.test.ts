import { expect, test } from "bun:test";
import { readdirSync, symlinkSync, unlinkSync } from "node:fs";
import { join } from "node:path";
import { api, send } from "./client.ts";
import { startServer } from "./harness.ts";
import { isMissing } from "./reason-to-skip.fixture.ts";
import { isOnS3 } from "./test-stores.ts";
import { append, createUpload, offsetOf } from "./upload-url.ts";

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

test.skipIf(noLinux || isOnS3)(
  "a resumable upload continues after a write that the disk refuses",
  async () => {
    const server = await startServer({ WORKERS: "1" });
    try {
      await api(server).put("before.txt", "text");
      const path = await createUpload(server, { name: "a.txt", size: 10, folder: "" });
      // Ids are given in order, so this is where the blob of the upload will be.
      const blobs = join(server.dataPath, "blobs");
      const [block = ""] = readdirSync(blobs);
      const used = readdirSync(join(blobs, block)).map((name) => Number.parseInt(name, 16));
      const next = (Math.max(...used) + 1).toString(16).padStart(2, "0");
      const blob = join(blobs, block, next);
      symlinkSync("/proc/self/mem", blob);
      expect((await append(server, path, 0, "01234")).status).toBe(503);
      expect(await offsetOf(server, path)).toBe(0);
      unlinkSync(blob);
      expect((await append(server, path, 0, "0123456789")).status).toBe(204);
      expect((await send(server, "GET", "/api/hosting/a.txt")).text).toBe("0123456789");
    } finally {
      await server.discard();
    }
  },
);
