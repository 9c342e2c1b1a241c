import type { BlobBody, Blobs } from "../../blobs/port.ts";
import type { BlobLedger } from "../../catalog/port/blob-ledger.ts";
import type { FileTree } from "../../catalog/port/file-tree.ts";
import type { SeenBy } from "../../domain/callers/caller.ts";
import { Fault } from "../../domain/faults/fault.ts";
import type { BlobId, FileRecord } from "../../domain/records.ts";
import type { TimeSlices } from "../../lib/time-slices.ts";
import { createChunkJoiner } from "../upload/chunk-joiner.ts";
import { localHeader } from "./zip.ts";
import type { ZipPlan } from "./zip-plan.ts";

export interface ReadArchiveDeps {
  readonly catalog: FileTree & BlobLedger;
  readonly blobs: Blobs;
  /** Called for a record whose bytes are missing. */
  readonly onDamage: (file: FileRecord) => void;
  readonly slices: TimeSlices;
}

/** Small chunks are joined up to this many bytes. */
const CHUNK = 64 * 1024;

/**
 * The bytes of a zip, read as they are consumed. Throws when a file's bytes are gone by the time they
 * are needed.
 */
export function createReadArchive({ catalog, blobs, onDamage, slices }: ReadArchiveDeps) {
  return async function* readArchive(caller: SeenBy, plan: ZipPlan): AsyncGenerator<Uint8Array> {
    const joiner = createChunkJoiner(CHUNK);
    for await (const chunk of chunksOf(caller, plan)) {
      for (const joined of joiner.add(chunk)) yield joined;
      await slices.next();
    }
    for (const joined of joiner.end()) yield joined;
  };

  async function* chunksOf(caller: SeenBy, plan: ZipPlan): AsyncGenerator<Uint8Array> {
    for (const entry of plan.entries()) {
      const { size, blobId } = entry;
      yield localHeader(entry);
      if (blobId === undefined) continue;
      let left = size;
      for await (const chunk of contentOf(caller, blobId, size)) {
        left -= chunk.length;
        yield chunk;
      }
      if (left !== 0) throw await missingBlobError(caller, blobId);
    }
    yield* plan.ending();
  }

  async function* contentOf(caller: SeenBy, id: BlobId, size: number): AsyncGenerator<Uint8Array> {
    const body: BlobBody | undefined = await blobs.read(id, size);
    if (body === undefined) throw await missingBlobError(caller, id);
    // A stream costs more than the bytes of a small file.
    if (body instanceof Blob && size <= CHUNK) yield await body.bytes();
    else yield* body instanceof Blob ? body.stream() : body;
  }

  /** Not found if the file was deleted meanwhile; otherwise a record still refers to the blob: damage. */
  async function missingBlobError(caller: SeenBy, id: BlobId): Promise<Error> {
    const [stored] = await catalog.blobsAfter(id - 1, 1);
    const file = stored?.blobId === id ? await catalog.fileById(caller, stored.fileId) : undefined;
    if (file === undefined) {
      return new Fault("not_found", "A file was deleted while its zip was being sent.");
    }
    onDamage(file);
    return new Error(`The bytes of "${file.key}" are missing or too short.`);
  }
}
