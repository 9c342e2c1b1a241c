import { readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import { blobId, blockOf, positionOf } from "../domain/blob-id.ts";
import type { BlobId, FileRecord, Millis } from "../domain/records.ts";
import { xxHash64 } from "../runtime/hash.ts";
import type { Rendering } from "./rendering.ts";

/** The content that a variant is made of. */
export type VariantSource = Pick<FileRecord, "blobId" | "size" | "checksum">;

/** The folder of the variants of a block of blobs. */
export const variantFolder = (block: number): string => block.toString(16).padStart(11, "0");

/** What the names of all variants of a blob start with. */
export const variantPrefix = (id: BlobId): string =>
  `${positionOf(id).toString(16).padStart(2, "0")}-`;

/**
 * The name of a variant's file, relative to the folder of all variants. It contains everything that the
 * bytes depend on, so that no file is ever out of date. The size and the checksum matter when a
 * catalog is restored from an older backup, and then gives ids again.
 */
export function variantPath(
  { blobId, size, checksum }: VariantSource,
  { edge, quality, format }: Rendering,
): string {
  const content = `${size.toString(36)}-${checksum.toString(36)}`;
  const name = `${variantPrefix(blobId)}${content}-${edge}-${quality}.${format}`;
  return `${variantFolder(blockOf(blobId))}/${name}`;
}

export const SEAL_BYTES = 8;

/** Adds the digest that shows whether a file is complete. */
export function sealVariant(bytes: Uint8Array): Uint8Array {
  const sealed = new Uint8Array(bytes.length + SEAL_BYTES);
  sealed.set(bytes);
  new DataView(sealed.buffer).setBigUint64(bytes.length, xxHash64(bytes));
  return sealed;
}

/** The bytes of a complete file; undefined: it is torn, as after a power cut. */
export function openVariant(sealed: Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer> | undefined {
  const length = sealed.length - SEAL_BYTES;
  if (length <= 0) return undefined;
  const bytes = sealed.subarray(0, length);
  const digest = new DataView(sealed.buffer, sealed.byteOffset).getBigUint64(length);
  return digest === xxHash64(bytes) ? bytes : undefined;
}

/** The file of a variant. */
interface VariantFile {
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
