import { crc32 } from "node:zlib";
import type { BlobWriter } from "../../blobs/port.ts";
import { authorizeMaker } from "../../domain/callers/authorize.ts";
import { Fault } from "../../domain/faults/fault.ts";
import { S3Fault } from "../../domain/faults/s3-fault.ts";
import { checkMaxUploadSize } from "../../domain/max-upload-size.ts";
import { splitKey } from "../../domain/names/name.ts";
import { isRejection } from "../../files/upload/blob-storage.ts";
import type { SpaceClaim } from "../../files/upload/free-space.ts";
import type { MultipartRecord } from "../../semantics/s3/multipart.ts";
import type { ObjectsDeps } from "../deps.ts";
import type { MultipartService, PartToStore, StoredPart } from "../object-service.ts";
import { noSuchUpload } from "../visible-buckets.ts";
import type { FindUpload } from "./find-upload.ts";

/** The place of a part in a blob, and the writer that stores its bytes there. */
type OpenPlace = Omit<StoredPart, "id" | "number" | "size" | "checksum"> & {
  readonly writer: BlobWriter;
};

/** Writes a part at its place in the blob of the upload, or as a blob of its own, and then makes its record. */
export function createPutPart(
  deps: ObjectsDeps,
  find: FindUpload,
): Pick<MultipartService, "storePart" | "putPart"> {
  const { catalog, blobs, storage, settings } = deps;

  async function openInPlace(
    { id: uploadId, blobId, state }: MultipartRecord,
    { number, length }: PartToStore,
  ): Promise<OpenPlace | undefined> {
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

  async function openApart(): Promise<OpenPlace> {
    const blob = await storage.open();
    return {
      writer: blob.writer,
      claim: undefined,
      blobId: blob.id,
      drop: () => storage.discard([blob]),
      keep: () => storage.blobIds.markUnknown(blob.id),
    };
  }

  async function write(
    { writer, drop }: OpenPlace,
    { length, body }: PartToStore,
    { limit, claim }: { readonly limit: number; readonly claim: SpaceClaim },
  ): Promise<Pick<StoredPart, "size" | "checksum">> {
    try {
      let size = 0;
      let checksum = 0;
      for await (const chunk of body) {
        size += chunk.length;
        checkMaxUploadSize(size, limit);
        await claim.write(chunk.length);
        checksum = crc32(chunk, checksum);
        await writer.write(chunk);
      }
      if (length !== undefined && size !== length) throw incomplete(length, size);
      await writer.seal();
      return { size, checksum };
    } catch (error) {
      await drop();
      throw error;
    }
  }

  return {
    async storePart(caller, part) {
      const { id, key, number, length } = part;
      const upload = await find(caller, id, key);
      authorizeMaker(caller, upload.maker);
      const { maxUploadSize } = settings();
      const limit = Math.min(length ?? maxUploadSize, maxUploadSize);
      checkMaxUploadSize(length, maxUploadSize);
      const place = splitKey(key);
      // The sum of all parts is checked at the end.
      if (place !== undefined) {
        const { folder, name } = place;
        await storage.quotas.admit({ folder, bytes: length ?? 0, replaces: name });
      }
      const claim = await storage.space.admit(length ?? 0);
      try {
        const open = (await openInPlace(upload, part)) ?? (await openApart());
        return { ...open, id, number, ...(await write(open, part, { limit, claim })) };
      } catch (error) {
        throw explain(error);
      } finally {
        claim.release();
      }
    },

    async putPart(_caller, { stored, md5, checksums, isPrivate }) {
      const { id, number, size, checksum, blobId, claim } = stored;
      const { owner } = storage.blobIds;
      const content = { md5, checksums, size, checksum, blobId };
      try {
        const wanted = { uploadId: id, number, claim, content, owner, isPrivate };
        const record = await catalog.storePart(wanted);
        if (blobId !== null) storage.blobIds.markCommitted(blobId);
        return record;
      } catch (error) {
        if (isRejection(error)) await stored.drop();
        else stored.keep();
        throw explain(error);
      }
    },
  };
}

/** The upload was completed or removed meanwhile. */
function explain(error: unknown): unknown {
  const isGone = error instanceof Fault && (error.kind === "not_found" || error.kind === "gone");
  return isGone && !(error instanceof S3Fault) ? noSuchUpload() : error;
}

const incomplete = (length: number, size: number): S3Fault =>
  new S3Fault("IncompleteBody", `The part has ${size} bytes, but ${length} were announced.`);
