import type { Authorized } from "../domain/callers/authorize.ts";
import type { Caller } from "../domain/callers/caller.ts";
import { Fault } from "../domain/faults/fault.ts";
import { noSuchBucket, noSuchKey, S3Fault } from "../domain/faults/s3-fault.ts";
import { keepReplaced } from "../domain/keep-time.ts";
import { checkMaxUploadSize } from "../domain/max-upload-size.ts";
import { mediaType } from "../domain/media.ts";
import { ROOT_KEY, splitKey } from "../domain/names/name.ts";
import type { FileRecord, Key } from "../domain/records.ts";
import type { UncommittedBlob } from "../files/upload/blob-storage.ts";
import { writeS3Attributes } from "../semantics/s3/attributes.ts";
import { objectEtag } from "../semantics/s3/object-etag.ts";
import type { SharedObjectDeps } from "./deps.ts";
import { explainPut } from "./explain-put.ts";
import type { ObjectService, ObjectToCommit, ObjectToStore } from "./object-service.ts";

/** Reading this much takes less than looking first for what the change finds anyway. */
const SMALL_BYTES = 256 * 1024;

/** Stores or copies the bytes of an object, and then makes the object with them. */
export function createPutObject(
  deps: SharedObjectDeps,
): Pick<ObjectService, "store" | "put" | "copy"> {
  const { catalog, settings, storage, buckets } = deps;

  /** Refuses a large object before its bytes are sent. */
  async function checkFirst(caller: Caller, { key, length, expect }: ObjectToStore): Promise<void> {
    if (length !== undefined && length <= SMALL_BYTES) return;
    await buckets.requirePlace(caller, key);
    const place = splitKey(key);
    if (length !== undefined && place !== undefined) {
      const { folder, name } = place;
      await storage.quotas.admit({ folder, bytes: length, replaces: name });
    }
    if (expect === undefined) return;
    const current = await catalog.fileByKey(caller, key);
    if (expect === "absent") {
      if (current !== undefined) throw preconditionFailed();
    } else if (current === undefined) throw noSuchKey();
    else if (expect !== "present" && objectEtag(current) !== expect.etag)
      throw preconditionFailed();
  }

  async function commit(
    caller: Authorized<"write">,
    object: ObjectToCommit,
    blob: UncommittedBlob,
    { size, checksum, sha256 }: Pick<FileRecord, "size" | "checksum" | "sha256">,
  ): Promise<FileRecord> {
    const { key, charset = null, metadata, visibility, expect } = object;

    // Whatever fails in it, the bytes are removed.
    async function putObject(): Promise<FileRecord> {
      const { folder, name } = placeOf(key);
      const mimeType = object.mimeType ?? mediaType(name, undefined);
      const s3 = writeS3Attributes(object.attributes);
      const file = { name, mimeType, charset, size, blobId: blob.id, checksum, sha256, s3 };
      const { owner } = storage.blobIds;
      const keeps = keepReplaced(caller, settings());
      const target = { folder, file, visibility, metadata, expect };
      return catalog.putObject(caller, { ...target, owner, ...keeps });
    }

    const stored = await explainPut(deps, caller, key, () =>
      storage.commitFiles([blob], putObject, ({ blobId }) => [blobId]),
    );
    storage.onReplaced();
    return stored;
  }

  return {
    async store(caller, object) {
      const { key, length = 0, body } = object;
      const { name } = placeOf(key);
      const { maxUploadSize: max } = settings();
      checkMaxUploadSize(length, max, name);
      await checkFirst(caller, object);
      const claim = await storage.space.admit(length);
      try {
        return await storage.store(body, { expected: length, max, name, claim });
      } finally {
        claim.release();
      }
    },

    put: (caller, object) => commit(caller, object, object.blob, object.blob.sums),

    // The bytes are copied too, as a blob belongs to one file.
    async copy(caller, object) {
      const { key, source } = object;
      const { folder, name } = placeOf(key);
      await buckets.requirePlace(caller, key);
      const { blobId, size } = source;
      await storage.quotas.admit({ folder, bytes: size, replaces: name });
      const blob = await storage.assemble([{ blobId, start: 0, end: size }]).catch(explainGone);
      return commit(caller, object, blob, source);
    },
  };
}

/** The source of a copy was replaced or deleted after it was found. */
function explainGone(error: unknown): never {
  throw error instanceof Fault && error.kind === "gone" ? noSuchKey() : error;
}

/** S3Fault "NoSuchBucket": objects are in buckets. */
function placeOf(key: Key) {
  const place = splitKey(key);
  if (place === undefined || place.folder === ROOT_KEY) throw noSuchBucket(key);
  return place;
}

const preconditionFailed = (): S3Fault =>
  new S3Fault("PreconditionFailed", "At least one of the preconditions did not hold.");
