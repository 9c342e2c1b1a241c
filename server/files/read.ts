import type { BlobBody, Blobs, BorrowedBody, Slice } from "../blobs/port.ts";
import type { FileTree } from "../catalog/port/file-tree.ts";
import { SYSTEM } from "../domain/callers/caller.ts";
import type { FileRecord } from "../domain/records.ts";
import { chain, type MaybePromise } from "../lib/maybe-promise.ts";
import { noSuchFile } from "./find.ts";

export interface ReadDeps {
  readonly names: FileTree;
  readonly blobs: Blobs;
  readonly onDamage: (file: FileRecord) => void;
}

/**
 * Reads the blob of a record, or returns the current record if the file has been replaced since.
 * Fault "not_found": the file was deleted, or its blob is missing or has another size, which is
 * reported to `onDamage`. "unavailable": the content is damaged.
 */
export type ReadBytes = (file: FileRecord, slice?: Slice) => MaybePromise<BytesRead<BlobBody>>;

/** Like `ReadBytes`, for a body that becomes a response at once: see `Blobs.borrow`. */
export type BorrowBytes = (
  file: FileRecord,
  slice?: Slice,
) => MaybePromise<BytesRead<BorrowedBody>>;

export type BytesRead<Body> = { readonly body: Body } | { readonly replacedBy: FileRecord };

export function createReadBytes({ names, blobs, onDamage }: ReadDeps): {
  readonly read: ReadBytes;
  readonly borrow: BorrowBytes;
} {
  async function explainMissing(file: FileRecord): Promise<{ replacedBy: FileRecord }> {
    const current = await names.fileById(SYSTEM, file.id);
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

  const found = <Body extends BorrowedBody>(
    file: FileRecord,
    body: MaybePromise<Body | undefined>,
  ): MaybePromise<BytesRead<Body>> =>
    chain(
      body,
      (present): MaybePromise<BytesRead<Body>> =>
        present === undefined ? explainMissing(file) : { body: present },
    );

  return {
    read: (file, slice) => found(file, blobs.read(file.blobId, file.size, slice, file)),
    borrow: (file, slice) => found(file, blobs.borrow(file.blobId, file.size, slice, file)),
  };
}
