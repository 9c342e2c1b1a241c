import { lstat, mkdir } from "node:fs/promises";

/**
 * Creates a folder inside the target folder unless it exists. Throws if something else is in its place,
 * a symbolic link included, which could lead out of the target folder.
 */
export async function ensureFolder(path: string): Promise<void> {
  try {
    await mkdir(path);
  } catch (error) {
    if (!(error instanceof Error && "code" in error && error.code === "EEXIST")) throw error;
    const found = await lstat(path);
    if (found.isDirectory()) return;
    const what = found.isSymbolicLink() ? "a symbolic link" : "a file";
    throw new Error(`There is ${what} in the place of the folder.`);
  }
}
