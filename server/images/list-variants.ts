import { readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import { blobId } from "../domain/blob-id.ts";
import type { BlobId, Millis } from "../domain/records.ts";

/** The file of a variant. */
export interface VariantFile {
  readonly path: string;
  readonly id: BlobId;
  readonly bytes: number;
  readonly usedAt: Millis;
}

const BLOCK = /^[0-9a-f]{11}$/;
const NAME = /^([0-9a-f]{2})-[\w-]+\.(?:webp|jpeg)$/;

/** Every variant below the folder, in no particular order. */
export async function listVariants(folder: string): Promise<VariantFile[]> {
  const found: VariantFile[] = [];
  for (const block of await readdir(folder)) {
    if (!BLOCK.test(block)) continue;
    for (const name of await namesIn(join(folder, block))) {
      const [, position] = NAME.exec(name) ?? [];
      if (position === undefined) continue;
      const path = join(folder, block, name);
      const file = await stat(path).catch(() => undefined);
      if (file === undefined) continue;
      const id = blobId(Number.parseInt(block, 16), Number.parseInt(position, 16));
      found.push({ path, id, bytes: file.size, usedAt: file.mtimeMs });
    }
  }
  return found;
}

/** None if another process has just removed the folder. */
async function namesIn(block: string): Promise<string[]> {
  try {
    return await readdir(block);
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return [];
    throw error;
  }
}
