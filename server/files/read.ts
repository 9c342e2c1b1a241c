import type { BlobBody, Blobs, Slice } from "../blobs/port.ts";
import type { FileTree } from "../catalog/port/file-tree.ts";
import { chain, type MaybePromise } from "../rules/maybe-promise.ts";
import type { FileRecord } from "../rules/records.ts";
import { noSuchFile } from "./find.ts";

export interface ReadParts {
  readonly names: FileTree;
  readonly blobs: Blobs;
  readonly onDamage: (file: FileRecord) => void;
}

/**
 * Reads the blob of a record, or returns the current record if the file has been replaced since.
 * Fault "not_found": the file was deleted, or its blob is missing or has another size, which is
 * reported to `onDamage`. "unavailable": the content is damaged.
 */
export type ReadBytes = (file: FileRecord, slice?: Slice) => MaybePromise<BytesRead>;

export type BytesRead = { readonly body: BlobBody } | { readonly replacedBy: FileRecord };

export function createReadBytes({ names, blobs, onDamage }: ReadParts): ReadBytes {
  async function explainMissing(file: FileRecord): Promise<BytesRead> {
    const current = await names.fileById(file.id);
    if (
      current !== undefined &&
      current.blobId !== file.blobId &&
      current.visibility === file.visibility
    ) {
      return { replacedBy: current };
    }
    if (current?.blobId === file.blobId) onDamage(file);
    throw noSuchFile();
  }

  return (file, slice) =>
    chain(blobs.read(file.blobId, file.size, slice, file), (body) =>
      body === undefined ? explainMissing(file) : { body },
    );
}
