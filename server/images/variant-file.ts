import { blockOf, positionOf } from "../domain/blob-id.ts";
import type { BlobId, FileRecord } from "../domain/records.ts";
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
