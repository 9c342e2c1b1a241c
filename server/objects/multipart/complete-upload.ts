import type { BlobPiece } from "../../blobs/port.ts";
import type { NewObject } from "../../catalog/port/objects.ts";
import { type Authorized, authorizeMaker } from "../../domain/callers/authorize.ts";
import type { Caller, SeenBy } from "../../domain/callers/caller.ts";
import { Fault } from "../../domain/faults/fault.ts";
import { S3Fault } from "../../domain/faults/s3-fault.ts";
import { keepReplaced } from "../../domain/keep-time.ts";
import { splitKey } from "../../domain/names/name.ts";
import type { BlobId, FileRecord } from "../../domain/records.ts";
import { writeS3Attributes } from "../../semantics/s3/attributes.ts";
import { combineFullChecksum } from "../../semantics/s3/combine-checksums.ts";
import {
  type MultipartRecord,
  type PartRecord,
  placeOfPart,
} from "../../semantics/s3/multipart.ts";
import type { BackgroundDigests } from "../background-digests.ts";
import type { SharedObjectDeps } from "../deps.ts";
import { explainPut } from "../explain-put.ts";
import type { Completion } from "../object-service.ts";
import { noSuchUpload } from "../visible-buckets.ts";
import type { FindUpload } from "./find-upload.ts";

/** How long the same Complete gives the same answer. */
const ANSWER_MS = 6 * 3_600_000;

/**
 * Makes the object of a multipart upload. Nothing is copied if all parts are at their places in one
 * blob; otherwise they are copied into another one.
 */
export function createCompleteUpload(
  deps: SharedObjectDeps,
  digests: BackgroundDigests,
  find: FindUpload,
) {
  const { catalog, blobs, storage, settings } = deps;

  async function answerOf(
    caller: SeenBy,
    { fileId, etag }: MultipartRecord,
    wanted: string,
  ): Promise<FileRecord> {
    const isSame = fileId !== null && etag === wanted;
    const file = isSame ? await catalog.fileById(caller, fileId) : undefined;
    if (file === undefined) throw noSuchUpload();
    return file;
  }

  async function store(
    caller: Caller,
    upload: MultipartRecord,
    wanted: Completion,
    blobId: BlobId,
  ): Promise<FileRecord> {
    const { id: uploadId, parts: chosen, expect, attributes } = wanted;
    return catalog.completeMultipart(caller, {
      uploadId,
      parts: chosen,
      file: fileOf(upload, wanted, blobId),
      expect,
      etag: attributes.etag,
      owner: storage.blobIds.owner,
      ...keepReplaced(caller, settings()),
      answerUntil: catalog.now() + ANSWER_MS,
    });
  }

  async function makeObject(caller: Caller, wanted: Completion): Promise<FileRecord> {
    const { id, key, parts: chosen, attributes } = wanted;
    const place = splitKey(key);
    if (place !== undefined) {
      const { folder, name } = place;
      await storage.quotas.admit({ folder, bytes: sizeOf(chosen), replaces: name });
    }
    const plan = await catalog.beginAssembly({ uploadId: id, parts: chosen });
    if (typeof plan === "object") return answerOf(caller, plan, attributes.etag);
    // The size of parts in place is final now.
    const upload = await find(caller, id, key);
    const { blobId } = upload;
    if (plan === "apart" || blobId === null || blobs.partsInPlace === null) {
      const blob = await storage.assemble(piecesOf(upload, chosen));
      return storage.commitFiles(
        [blob],
        () => store(caller, upload, wanted, blob.id),
        (file) => [file.blobId],
      );
    }
    await blobs.partsInPlace.complete(blobId, sizeOf(chosen));
    const file = await store(caller, upload, wanted, blobId);
    // No response waits for it: the record alone makes the file.
    void blobs.markCommitted([blobId]);
    return file;
  }

  return async (caller: Authorized<"write">, wanted: Completion): Promise<FileRecord> => {
    const { id, key, attributes } = wanted;
    const upload = await find(caller, id, key);
    authorizeMaker(caller, upload.maker);
    if (upload.state === "finished") return answerOf(caller, upload, attributes.etag);
    try {
      const file = await explainPut(deps, caller, key, () =>
        makeObject(caller, wanted).catch(explainGone),
      );
      storage.onReplaced();
      void storage.removeCondemned();
      // Reading from S3 costs money: there, the scrub does it when it reads the object anyway.
      if (blobs.partsInPlace !== null && file.sha256 === null) digests.add(file);
      return file;
    } catch (error) {
      // Another Complete has removed the parts, or the upload was aborted.
      const now = await catalog.multipartById(id);
      if (now === undefined) throw noSuchUpload();
      if (now.state === "finished") return answerOf(caller, now, attributes.etag);
      throw error;
    }
  };
}

/** A chosen part was replaced since it was read. */
function explainGone(error: unknown): never {
  if (error instanceof Fault && error.kind === "gone") {
    throw new S3Fault("InvalidPart", "One of the parts was replaced meanwhile.", { cause: error });
  }
  throw error;
}

function fileOf(
  { key, attributes: { mimeType, charset = null } }: MultipartRecord,
  { parts, attributes }: Completion,
  blobId: BlobId,
): NewObject["file"] {
  const place = splitKey(key);
  if (place === undefined) throw new Error("The root is no object.");
  const s3 = writeS3Attributes(attributes);
  const checksum = checksumOf(parts);
  const size = sizeOf(parts);
  return { name: place.name, mimeType, charset, size, blobId, checksum, sha256: null, s3 };
}

const sizeOf = (parts: readonly PartRecord[]): number =>
  parts.reduce((sum, { size }) => sum + size, 0);

function piecesOf(
  { blobId: common, partSize }: MultipartRecord,
  parts: readonly PartRecord[],
): BlobPiece[] {
  return parts.map(({ number, size, blobId }) => {
    if (blobId !== null) return { blobId, start: 0, end: size };
    if (common === null || partSize === null) throw new Error("A part in place has no place.");
    const start = placeOfPart(number, partSize);
    return { blobId: common, start, end: start + size };
  });
}

/** The CRC-32 of the whole. */
function checksumOf(parts: readonly PartRecord[]): number {
  const crcs = parts.map(({ checksum, size }) => {
    const bytes = Buffer.alloc(4);
    bytes.writeUInt32BE(checksum);
    return { checksum: bytes.toString("base64"), size };
  });
  return Buffer.from(combineFullChecksum("CRC32", crcs), "base64").readUInt32BE();
}
