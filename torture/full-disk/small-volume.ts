import { spawnSync } from "node:child_process";
import { rmSync, statfsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { onExit } from "../on-exit.ts";

/** A small tmpfs volume, mounted at an existing folder. */
export interface SmallVolume {
  readonly path: string;
  /** Fills the volume except for `leave` bytes, in whole pages. */
  fill(leave: number): void;
  /** Undoes `fill`. */
  empty(): void;
  unmount(): void;
}

const FILLER = ".filler";

export function mountSmallVolume(path: string, megabytes: number): SmallVolume {
  run("mount", "-t", "tmpfs", "-o", `size=${megabytes}m,mode=700`, "holdall-torture", path);
  const unmount = onExit(() => run("umount", "-l", path));
  const filler = join(path, FILLER);
  const empty = () => rmSync(filler, { force: true });
  return {
    path,
    fill(leave) {
      empty();
      const { bavail, bsize } = statfsSync(path);
      writeFileSync(filler, Buffer.alloc(Math.max(bavail * bsize - leave, 0)));
    },
    empty,
    unmount,
  };
}

function run(command: string, ...args: string[]): void {
  const { status, stderr } = spawnSync(command, args, { encoding: "utf8" });
  if (status !== 0) throw new Error(`${command} ${args.join(" ")}: ${stderr}`);
}
