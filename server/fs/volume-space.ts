import { statfs } from "node:fs/promises";

/** The volume of a path, in bytes. `free`: what this process may use. */
export async function volumeSpace(path: string): Promise<{ free: number; size: number }> {
  const { bavail, blocks, bsize } = await statfs(path);
  return { free: bavail * bsize, size: blocks * bsize };
}
