import { appendFileSync, rmSync, statfsSync } from "node:fs";
import { join } from "node:path";
import { temporaryFolder } from "./harness.ts";

/** A mounted volume that is small enough to be filled. */
export interface SmallDisk {
  readonly path: string;
  free(): number;
  /** Fills it to the last byte, as another program might do. */
  fill(): void;
  /** Removes what `fill` wrote. */
  clear(): void;
  unmount(): void;
}

/** Mounts a volume of `size` bytes; undefined without permission to mount. */
export function mountSmallDisk(size: number): SmallDisk | undefined {
  const path = temporaryFolder();
  const mount = ["mount", "-t", "tmpfs", "-o", `size=${size}`, "none", path];
  if (!Bun.spawnSync(mount, { stderr: "ignore" }).success) return undefined;
  const filler = join(path, "filler");

  return {
    path,
    free() {
      const { bavail, bsize } = statfsSync(path);
      return bavail * bsize;
    },
    fill() {
      for (const chunk of [1024 * 1024, 4096]) {
        try {
          for (;;) appendFileSync(filler, Buffer.alloc(chunk, 1));
        } catch (error) {
          if (!(error instanceof Error) || !("code" in error) || error.code !== "ENOSPC")
            throw error;
        }
      }
    },
    clear: () => rmSync(filler, { force: true }),
    unmount: () => void Bun.spawnSync(["umount", "-l", path]),
  };
}
