import { closeSync, constants, fsyncSync, openSync } from "node:fs";
import { open } from "node:fs/promises";

const FLAGS = constants.O_RDONLY | constants.O_DIRECTORY;

/**
 * Makes the entries of a folder survive a power cut. Rejects with the system's error. Never retry a
 * failed fsync: the kernel may already have dropped what it could not write, so that the retry would
 * succeed without having saved it.
 */
export async function fsyncFolder(path: string): Promise<void> {
  const folder = await open(path, FLAGS);
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}

/** The same, blocking this thread. */
export function fsyncFolderSync(path: string): void {
  const folder = openSync(path, FLAGS);
  try {
    fsyncSync(folder);
  } finally {
    closeSync(folder);
  }
}
