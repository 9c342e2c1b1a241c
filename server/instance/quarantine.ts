import { mkdir, open } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { Quarantine } from "../files/repair.ts";
import { fsyncFolder } from "../fs/fsync-folder.ts";

/**
 * A quarantine of this moment below the data folder, made once something is kept in it. Its records
 * lie in `records.jsonl`, one JSON object a line.
 */
export function createQuarantine(dataPath: string, now: Date): Quarantine & { path: string } {
  // No colons: some file systems do not take them.
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
