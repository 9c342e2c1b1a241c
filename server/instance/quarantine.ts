import { mkdir, open, readdir } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { Quarantine } from "../files/verify/repair.ts";
import { fsyncFolder } from "../fs/fsync.ts";

/**
 * A quarantine folder with a timestamp below the data folder. It is created when the first record is
 * kept: records are in `records.jsonl`, one JSON object per line.
 */
export function createQuarantine(dataPath: string, now: Date): Quarantine & { path: string } {
  // Some file systems do not allow colons.
  const name = now.toISOString().replaceAll(":", "-");
  const path = join(dataPath, "quarantine", name);

  return {
    name,
    path,
    async keep(records) {
      await mkdir(path, { recursive: true, mode: 0o700 });
      const file = await open(join(path, "records.jsonl"), "a", 0o600);
      try {
        await file.write(records.map((record) => `${JSON.stringify(record)}\n`).join(""));
        await file.sync();
      } finally {
        await file.close();
      }
      for (const folder of [path, dirname(path), dataPath]) await fsyncFolder(folder);
    },
  };
}

/** The names of the quarantine folders, oldest first. */
export async function listQuarantine(dataPath: string): Promise<string[]> {
  const names = await readdir(join(dataPath, "quarantine")).catch(() => []);
  return names.toSorted();
}
