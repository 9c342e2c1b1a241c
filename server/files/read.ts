import type { BlobBody, Blobs, Slice } from "../blobs/port.ts";
import type { FileTree } from "../catalog/port.ts";
import { chain, type MaybePromise } from "../rules/maybe-promise.ts";
import type { FileRecord } from "../rules/records.ts";
import { noSuchFile } from "./find.ts";

export interface ReadParts {
  readonly names: FileTree;
  readonly blobs: Blobs;
  readonly onDamage: (file: FileRecord) => void;
}

/**
 * Reads the bytes of a record, or returns the current record if the file has been replaced since.
 * Fault "not_found": the file was deleted, or its bytes are missing or of another size, which is
 * reported to `onDamage`.
 */
export type ReadBytes = (file: FileRecord, slice?: Slice) => MaybePromise<BytesRead>;

export type BytesRead = { readonly body: BlobBody } | { readonly replacedBy: FileRecord };

export function createReadBytes({ names, blobs, onDamage }: ReadParts): ReadBytes {
  async function readAgain(file: FileRecord): Promise<BytesRead> {
    const now = await names.fileById(file.id);
    if (now !== undefined && now.blobId !== file.blobId && now.visibility === file.visibility) {
      return { replacedBy: now };
    }
    if (now?.blobId === file.blobId) onDamage(file);
    throw noSuchFile();
  }

  return (file, slice) =>
    chain(blobs.read(file.blobId, file.size, slice), (body) =>
      body === undefined ? readAgain(file) : { body },
    );
}
