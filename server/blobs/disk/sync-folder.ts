import { constants } from "node:fs";
import { open } from "node:fs/promises";

/**
 * Makes the entries of a folder survive a power cut. Rejects with the system's error. A failed
 * fsync must not be tried again: the kernel may already have dropped what it could not write, so
 * that a second try would succeed without having saved it.
 */
export async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, constants.O_RDONLY | constants.O_DIRECTORY);
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}
