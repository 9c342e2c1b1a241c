import { createHash } from "node:crypto";
import { mkdir, readdir, readFile, rename, rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { ResumeStore } from "../../../sdk/src/holdall.ts";

/** Unfinished uploads expire on the server much earlier, and the trash keeps this long by default. */
const MAX_AGE_MS = 30 * 24 * 3600 * 1000;

/**
 * Notes, such as about unfinished uploads, each in a file that only the user can read, because its URL is
 * enough to continue the upload. Removes old notes.
 */
export async function createFileResumeStore(folder: string): Promise<ResumeStore> {
  const pathOf = (key: string): string =>
    join(folder, `${createHash("sha256").update(key).digest("hex")}.json`);
  await removeOldNotes(folder);
  return {
    getItem: (key) => readFile(pathOf(key), "utf8").catch(() => null),
    async setItem(key, value) {
      const path = pathOf(key);
      const draft = `${path}.${process.pid}`;
      await mkdir(folder, { recursive: true, mode: 0o700 });
      await writeFile(draft, value, { mode: 0o600 });
      await rename(draft, path);
    },
    removeItem: (key) => rm(pathOf(key), { force: true }),
  };
}

async function removeOldNotes(folder: string): Promise<void> {
  const names = await readdir(folder).catch(() => []);
  for (const name of names) {
    if (!/^[0-9a-f]{64}\.json(?:\.\d+)?$/.test(name)) continue;
    const path = join(folder, name);
    const found = await stat(path).catch(() => undefined);
    if (found !== undefined && found.mtimeMs < Date.now() - MAX_AGE_MS) {
      await rm(path, { force: true }).catch(() => {});
    }
  }
}
