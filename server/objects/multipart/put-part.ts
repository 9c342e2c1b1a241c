import { crc32 } from "node:zlib";
import type { BlobWriter } from "../../blobs/port.ts";
import { type Authorized, authorizeMaker } from "../../domain/callers/authorize.ts";
import { Fault } from "../../domain/faults/fault.ts";
import { S3Fault } from "../../domain/faults/s3-fault.ts";
import { splitKey } from "../../domain/names/name.ts";
import type { BlobId } from "../../domain/records.ts";
import { isRejection } from "../../files/upload/blob-storage.ts";
import type { MultipartRecord, PartRecord } from "../../semantics/s3/multipart.ts";
import type { ObjectsDeps } from "../deps.ts";
import type { PartToPut } from "../object-service.ts";
import { noSuchUpload } from "../visible-buckets.ts";
import type { FindUpload } from "./find-upload.ts";

/** The destination of a part's bytes. */
interface PartTarget {
  readonly writer: BlobWriter;
  /** The claim on the place, for a part in place. */
  readonly claim: string | undefined;
  /** The part's own blob; null for a part in place. */
  readonly blobId: BlobId | null;
  /** Gives up the place, or removes the blob. */
  drop(): Promise<void>;
  /** Keeps both, as the part may have been stored. */
  keep(): void;
}

export type PutPart = (caller: Authorized<"write">, part: PartToPut) => Promise<PartRecord>;

/** Writes a part at its place in the blob of the upload, or as a blob of its own. */
export function createPutPart(deps: ObjectsDeps, find: FindUpload): PutPart {
  const { catalog, blobs, storage, settings } = deps;

  async function openInPlace(
    { id: uploadId, blobId, state }: MultipartRecord,
    { number, length }: PartToPut,
  ): Promise<PartTarget | undefined> {
    const { partsInPlace } = blobs;
    if (partsInPlace === null || blobId === null || state !== "open" || !length) return undefined;
    const claim = crypto.randomUUID();
    const place = await catalog.claimPart({ uploadId, number, size: length, claim });
    if (place === undefined) return undefined;
    const release = () => catalog.releasePart({ uploadId, claim }).catch(() => {});
    try {
      const writer = await partsInPlace.write(place.blobId, place.offset);
      return {
        writer,
        claim,
        blobId: null,
        async drop() {
          await writer.discard();
          await release();
        },
        keep: () => {},
      };
    } catch (error) {
      await release();
      throw error;
    }
  }

  async function openApart(): Promise<PartTarget> {
    const blob = await storage.open();
    return {
      writer: blob.writer,
      claim: undefined,
      blobId: blob.id,
      drop: () => storage.discard([blob]),
      keep: () => storage.blobIds.markUnknown(blob.id),
    };
  }

  return async (caller, part) => {
    const { id, key, number, length, body, isPrivate } = part;
    const upload = await find(caller, id, key);
    authorizeMaker(caller, upload.maker);
    const { maxUploadSize } = settings();
    const limit = Math.min(length ?? maxUploadSize, maxUploadSize);
    if (length !== undefined && length > limit) throw tooLarge(maxUploadSize);
    const place = splitKey(key);
    // The sum of all parts is checked at the end.
    if (place !== undefined) {
      const { folder, name } = place;
      await storage.quotas.admit({ folder, bytes: length ?? 0, replaces: name });
    }
    const claim = await storage.space.admit(length ?? 0);
    try {
      const target = (await openInPlace(upload, part)) ?? (await openApart());
      let isStoring = false;
      try {
        let size = 0;
        let checksum = 0;
        for await (const chunk of body) {
          size += chunk.length;
          if (size > limit) throw tooLarge(limit);
          await claim.write(chunk.length);
          checksum = crc32(chunk, checksum);
          await target.writer.write(chunk);
        }
        if (length !== undefined && size !== length) throw incomplete(length, size);
        const content = { ...part.sums(), size, checksum, blobId: target.blobId };
        await target.writer.seal();
        const { owner } = storage.blobIds;
        const wanted = { uploadId: id, number, claim: target.claim, content, owner, isPrivate };
        isStoring = true;
        const stored = await catalog.storePart(wanted);
        if (target.blobId !== null) storage.blobIds.markCommitted(target.blobId);
        return stored;
      } catch (error) {
        if (isStoring && !isRejection(error)) target.keep();
        else await target.drop();
        throw error;
      }
    } catch (error) {
      throw explain(error);
    } finally {
      claim.release();
    }
  };
}

/** The upload was completed or removed meanwhile. */
function explain(error: unknown): unknown {
  const isGone = error instanceof Fault && (error.kind === "not_found" || error.kind === "gone");
  return isGone && !(error instanceof S3Fault) ? noSuchUpload() : error;
}

const tooLarge = (limit: number): S3Fault =>
  new S3Fault("EntityTooLarge", `The part is larger than ${limit} bytes.`);

const incomplete = (length: number, size: number): S3Fault =>
  new S3Fault("IncompleteBody", `The part has ${size} bytes, but ${length} were announced.`);
