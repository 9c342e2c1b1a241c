import { Database } from "bun:sqlite";
import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { blobPath } from "../server/blobs/disk/disk-paths.ts";
import type { BlobId } from "../server/rules/records.ts";

/** How the bytes on disk differ from what the catalog knows. Both empty: they agree. */
export interface Difference {
  /** Blobs, as paths, that no file refers to: bytes, or notes of bytes that ought to have gone. */
  readonly strays: readonly string[];
  /** Blobs of files, as paths, that are not there or not of the size recorded. */
  readonly missing: readonly string[];
}

/** Compares while nobody writes; the server may run. */
export function differenceOf(dataPath: string): Difference {
  const root = join(dataPath, "blobs");
  const there = new Map<string, number>();
  for (const entry of readdirSync(root, { recursive: true, encoding: "utf8" })) {
    const path = join(root, entry);
    const status = statSync(path, { throwIfNoEntry: false });
    if (status?.isFile()) there.set(path, status.size);
  }
  const catalog = new Database(join(dataPath, "catalog.sqlite"), { readonly: true });
  try {
    const files = catalog
      .query<{ blob_id: BlobId; size: number }, []>("SELECT blob_id, size FROM files")
      .all();
    const condemned = catalog.query<{ blob_id: BlobId }, []>("SELECT blob_id FROM condemned").all();
    const missing = files.flatMap(({ blob_id, size }) => {
      const path = blobPath(root, blob_id);
      const found = there.get(path);
      there.delete(path);
      return found === size ? [] : [path];
    });
    const notes = condemned.map(({ blob_id }) => blobPath(root, blob_id));
    return { strays: [...new Set([...there.keys(), ...notes])], missing };
  } finally {
    catalog.close();
  }
}

/** Polls until nothing is left over or so many milliseconds have passed; gives the last look. */
export async function settled(dataPath: string, patience: number): Promise<Difference> {
  const until = performance.now() + patience;
  for (;;) {
    const difference = differenceOf(dataPath);
    if (difference.strays.length === 0 || performance.now() > until) return difference;
    await Bun.sleep(50);
  }
}
