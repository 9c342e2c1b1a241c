import { ROOT_KEY, splitKey } from "../domain/names/name.ts";
import type { FileRecord, Key } from "../domain/records.ts";
import { noSuchBucket, noSuchKey, S3Fault } from "../domain/s3-fault.ts";
import { createBeginUpload } from "../files/upload/begin-upload.ts";
import { writeS3Attributes } from "../semantics/s3/attributes.ts";
import { objectEtag } from "../semantics/s3/object-etag.ts";
import type { ObjectsDeps } from "./deps.ts";
import { explainPut } from "./explain-put.ts";
import { bucketOf, type ObjectCaller } from "./object-caller.ts";
import type { ObjectToPut } from "./object-service.ts";

/** Reading this much takes less than looking first for what the change finds anyway. */
const SMALL_BYTES = 256 * 1024;

/** Stores an object as an upload by form stores a file: see `createBeginUpload`. */
export function createPutObject(deps: ObjectsDeps, caller: ObjectCaller) {
  const { catalog, blobs, storage, settings } = deps;
  const changes = catalog.by(caller.actor);

  /** Refuses a large object before its bytes are sent. */
  async function checkFirst({ key, length, expect }: ObjectToPut): Promise<void> {
    if (length !== undefined && length <= SMALL_BYTES) return;
    await requirePlace(caller, key);
    if (expect === undefined) return;
    const current = await catalog.fileByKey(key, caller.within);
    if (expect === "absent") {
      if (current !== undefined) throw preconditionFailed();
    } else if (current === undefined) throw noSuchKey();
    else if (expect !== "present" && objectEtag(current) !== expect.etag)
      throw preconditionFailed();
  }

  return async (object: ObjectToPut): Promise<FileRecord> => {
    const { key, mimeType, charset = null, metadata, visibility, expect } = object;
    const place = splitKey(key);
    if (place === undefined || place.folder === ROOT_KEY) throw noSuchBucket(key);
    await requireWrite(caller, key);
    const { maxUploadSize } = settings();
    if ((object.length ?? 0) > maxUploadSize) throw tooLarge(maxUploadSize);
    await checkFirst(object);
    const begin = createBeginUpload<FileRecord>({
      blobs,
      settings,
      blobIds: storage.blobIds,
      space: storage.space,
      hashes: storage.hashes,
      onReplaced: storage.onReplaced,
      names: {
        takenName: () => Promise.resolve(undefined),
        async addFiles({ files, owner, keepReplacedMs }) {
          const stored: FileRecord[] = [];
          for (const file of files) {
            const s3 = writeS3Attributes(object.attributes());
            const content = { ...file, mimeType: mimeType ?? file.mimeType, charset, s3 };
            const { within } = caller;
            const target = { folder: place.folder, file: content, visibility, metadata };
            stored.push(
              await changes.putObject({ ...target, expect, owner, within, keepReplacedMs }),
            );
          }
          return stored;
        },
      },
    });
    return explainPut(deps, caller, key, async () => {
      const session = await begin(object.length ?? 0);
      try {
        await session.add(place.name, mimeType, object.body);
      } catch (error) {
        await session.abort();
        throw error;
      }
      const [file] = await session.commit({ folder: place.folder, onConflict: "replace" });
      if (file === undefined) throw new Error("An object was not stored.");
      return file;
    });
  };
}

/** Refuses a write without the action: as to a bucket that is missing, or as forbidden. */
export async function requireWrite(caller: ObjectCaller, key: Key): Promise<void> {
  try {
    caller.requireAction("write");
  } catch (error) {
    await caller.requireBucket(bucketOf(key));
    throw error;
  }
}

/** NoSuchBucket; NoSuchKey: the key is outside the caller's folder. */
export async function requirePlace(caller: ObjectCaller, key: Key): Promise<void> {
  await caller.requireBucket(bucketOf(key));
  if (!(await caller.sees(key))) throw noSuchKey();
}

const tooLarge = (maxUploadSize: number): S3Fault =>
  new S3Fault("EntityTooLarge", `An object may have at most ${maxUploadSize} bytes.`, {
    fields: { MaxSizeAllowed: String(maxUploadSize) },
  });

const preconditionFailed = (): S3Fault =>
  new S3Fault("PreconditionFailed", "At least one of the preconditions did not hold.");
