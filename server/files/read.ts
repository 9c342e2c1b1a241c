import type { BlobBody, Blobs, Slice } from "../blobs/port.ts";
import type { FileRecord } from "../rules/records.ts";
import { noSuchFile } from "./find.ts";

/**
 * The bytes of a file. Fault "missing": the record has no bytes, or not as many as it says; that
 * is damage, so `onDamage` hears of it.
 */
export function createReadBytes(blobs: Blobs, onDamage: (file: FileRecord) => void) {
  return async (file: FileRecord, slice?: Slice): Promise<BlobBody> => {
    const body = await blobs.read(file.blobId, file.size, slice);
    if (body !== undefined) return body;
    onDamage(file);
    throw noSuchFile();
  };
}

export type ReadBytes = ReturnType<typeof createReadBytes>;
