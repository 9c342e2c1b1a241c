import { closeSync, constants, fsyncSync, openSync } from "node:fs";
import { open } from "node:fs/promises";

/** Makes the content of a file survive a power cut, also if another program wrote it. */
export function fsyncFileSync(path: string): void {
  const file = openSync(path, "r+");
  try {
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}

const FLAGS = constants.O_RDONLY | constants.O_DIRECTORY;

/**
 * Makes the entries of a folder survive a power cut. Rejects with the system's error. Never retry a
 * failed fsync: the kernel may have dropped the data that it could not write, and the retry would
 * succeed without saving it.
 */
export async function fsyncFolder(path: string): Promise<void> {
  const folder = await open(path, FLAGS);
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}

/** Like `fsyncFolder`, but blocks this thread. */
export function fsyncFolderSync(path: string): void {
  const folder = openSync(path, FLAGS);
  try {
    fsyncSync(folder);
  } finally {
    closeSync(folder);
  }
}
