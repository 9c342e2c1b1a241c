import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onExit } from "./on-exit.ts";
import { requireRoot, requireTool } from "./require-tool.ts";

/** A file system of its own, whose power can be cut. */
export interface Volume {
  /** Where it is mounted. */
  readonly path: string;
  /** From here on nothing reaches the disk, and nothing more of what has not reached it yet. */
  cutPower(): void;
  /** Mounts it again as the next boot does: the journal is replayed. Nobody may use it meanwhile. */
  reboot(): void;
  remove(): void;
}

export type FileSystem = "ext4" | "xfs";

const BYTES = 2 * 1024 ** 3;

/** Throws `CannotRun` without the rights or the tools for it. */
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
    // Without `-f`: the journal is not written out first. The ioctl is XFS's and ext4's alike.
    cutPower: () => run("xfs_io", "-x", "-c", "shutdown", path),
    reboot() {
      unmount(path);
      mount();
    },
    remove,
  };
}

/** A process that was killed may take a moment to let go. */
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
