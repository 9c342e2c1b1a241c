import { constants, type PathLike } from "node:fs";
import { open } from "node:fs/promises";

/** Makes the entries of a folder survive a power cut. Rejects with the system's error. */
export async function syncFolder(path: PathLike): Promise<void> {
  const folder = await open(path, constants.O_RDONLY | constants.O_DIRECTORY);
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}

/**
 * A `syncFolder` of one folder for many callers at once. Each caller's promise stands for an fsync
 * that started after its call, and all who call while one is under way share the one after it. A
 * failed fsync fails everyone who waits for it and is not tried again: the kernel may already
 * have dropped what it could not write, so a second try would succeed without having saved it.
 */
export function createFolderSync(path: string): () => Promise<void> {
  let running: Promise<void> | undefined;
  let next: Promise<void> | undefined;

  function start(): Promise<void> {
    next = undefined;
    const run = syncFolder(path).finally(() => {
      if (running === run) running = undefined;
    });
    running = run;
    return run;
  }

  return () => {
    if (next !== undefined) return next;
    if (running === undefined) return start();
    next = running.then(start, start);
    return next;
  };
}
