import { statfs } from "node:fs/promises";
import { findProgram, spawn } from "../runtime/processes.ts";

/** The volume of a path, in bytes. `free`: what this process may use. */
export async function volumeSpace(path: string): Promise<{ free: number; size: number }> {
  const { bavail, blocks, bsize } = await statfs(path);
  return { free: bavail * bsize, size: blocks * bsize };
}

/**
 * Flushes all pending writes of a path's volume at once, so that thousands of new files cost one journal
 * commit instead of one each. Only an optimisation: it also resolves if the system has no `sync` program,
 * and every file that must survive a power cut still needs its own fsync afterwards.
 */
export async function syncVolume(path: string): Promise<void> {
  const program = findProgram("sync");
  if (process.platform !== "linux" || program === null) return;
  const child = spawn([program, "-f", path], {
    stdin: "ignore",
    stdout: "ignore",
    stderr: "ignore",
  });
  await child.exited;
}
