import { Holdall, type Visibility } from "../sdk/src/holdall.ts";
import type { TestServer } from "../test/harness.ts";

/** Uploads test files to a server. */
export interface Seed {
  readonly holdall: Holdall;
  file(path: string, content?: BlobPart, visibility?: Visibility): Promise<void>;
  /** Uploads `count` small files to one folder: `note-00001.txt` and so on. */
  many(folder: string, count: number): Promise<void>;
}

export function createSeed({ url, apiKey }: TestServer): Seed {
  const holdall = new Holdall({ url, apiKey });
  return {
    holdall,
    async file(path, content = "Hello", visibility = "public") {
      const slash = path.lastIndexOf("/");
      const folder = slash < 0 ? undefined : path.slice(0, slash);
      const name = path.slice(slash + 1);
      await holdall.files.upload(new Blob([content]), { name, folder, visibility });
    },
    async many(folder, count) {
      for (let from = 1; from <= count; from += 100) {
        const batch = Array.from({ length: Math.min(100, count - from + 1) }, (_, at) => ({
          content: new Blob([`Note ${from + at}`]),
          name: `note-${String(from + at).padStart(5, "0")}.txt`,
        }));
        await holdall.files.uploadMany(batch, { folder });
      }
    },
  };
}
