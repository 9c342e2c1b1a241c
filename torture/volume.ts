import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onExit } from "./on-exit.ts";
import { requireRoot, requireTool } from "./require-tool.ts";

/** A separate file system that can simulate a power cut. */
export interface Volume {
  /** Mount point. */
  readonly path: string;
  /** From now on nothing reaches the disk, including data that is only cached so far. */
  cutPower(): void;
  /** Remounts it as the next boot would, replaying the journal. Nobody may use it meanwhile. */
  reboot(): void;
  remove(): void;
}

export type FileSystem = "ext4" | "xfs";

/** Sparse; after a hundred cuts the interrupted uploads alone need several gigabytes. */
const BYTES = 16 * 1024 ** 3;

/** Throws `CannotRun` without root rights or the tools. */
export function createVolume(fileSystem: FileSystem): Volume {
  requireRoot();
  requireTool(`mkfs.${fileSystem}`, fileSystem === "ext4" ? "e2fsprogs" : "xfsprogs");
  requireTool("xfs_io", "xfsprogs");
  const folder = mkdtempSync(join(tmpdir(), "holdall-volume-"));
  const image = join(folder, "image");
  const path = join(folder, "mounted");
  const remove = onExit(() => {
    unmount(path);
    rmSync(folder, { recursive: true });
  });
  mkdirSync(path);
  writeFileSync(image, "");
  truncateSync(image, BYTES);
  run(`mkfs.${fileSystem}`, "-q", image);
  const mount = () => run("mount", "-o", "loop", image, path);
  mount();
  return {
    path,
    // Without `-f`, the journal is not flushed first. XFS and ext4 share the ioctl.
    cutPower: () => run("xfs_io", "-x", "-c", "shutdown", path),
    reboot() {
      unmount(path);
      mount();
    },
    remove,
  };
}

/** Retries, since a killed process may keep it busy for a moment. */
function unmount(path: string): void {
  for (let attempt = 0; attempt < 100; attempt += 1) {
    if (!readFileSync("/proc/self/mounts", "utf8").includes(` ${path} `)) return;
    if (spawnSync("umount", [path]).status === 0) return;
    Bun.sleepSync(50);
  }
  run("umount", path);
}

function run(program: string, ...args: string[]): void {
  const { status, stderr } = spawnSync(program, args, { encoding: "utf8" });
  if (status !== 0) throw new Error(`${program} ${args.join(" ")} failed: ${stderr}`);
}
