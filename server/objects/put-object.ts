import type { Caller } from "../domain/callers/caller.ts";
import { noSuchBucket, noSuchKey, S3Fault } from "../domain/faults/s3-fault.ts";
import { ROOT_KEY, splitKey } from "../domain/names/name.ts";
import type { FileRecord } from "../domain/records.ts";
import type { UploadDestination } from "../files/upload/begin-upload.ts";
import { writeS3Attributes } from "../semantics/s3/attributes.ts";
import { objectEtag } from "../semantics/s3/object-etag.ts";
import type { SharedObjectDeps } from "./deps.ts";
import { explainPut } from "./explain-put.ts";
import type { ObjectService, ObjectToPut } from "./object-service.ts";

/** Reading this much takes less than looking first for what the change finds anyway. */
const SMALL_BYTES = 256 * 1024;

/** Stores an object as an upload by form stores a file: see `createBeginUpload`. */
export function createPutObject(deps: SharedObjectDeps): ObjectService["put"] {
  const { catalog, settings, buckets, begin } = deps;

  /** Refuses a large object before its bytes are sent. */
  async function checkFirst(caller: Caller, { key, length, expect }: ObjectToPut): Promise<void> {
    if (length !== undefined && length <= SMALL_BYTES) return;
    await buckets.requirePlace(caller, key);
    const place = splitKey(key);
    if (length !== undefined && place !== undefined) {
      const { folder, name } = place;
      await deps.storage.quotas.admit({ folder, bytes: length, replaces: name });
    }
    if (expect === undefined) return;
    const current = await catalog.fileByKey(caller, key);
    if (expect === "absent") {
      if (current !== undefined) throw preconditionFailed();
    } else if (current === undefined) throw noSuchKey();
    else if (expect !== "present" && objectEtag(current) !== expect.etag)
      throw preconditionFailed();
  }

  return async (caller, object) => {
    const { key, mimeType, charset = null, metadata, visibility, expect } = object;
    const place = splitKey(key);
    if (place === undefined || place.folder === ROOT_KEY) throw noSuchBucket(key);
    const { maxUploadSize } = settings();
    if ((object.length ?? 0) > maxUploadSize) throw tooLarge(maxUploadSize);
    await checkFirst(caller, object);
    const destination: UploadDestination<FileRecord> = {
      caller,
      async addFiles({ files, owner, keepReplacedMs, replaceLimit }) {
        const stored: FileRecord[] = [];
        for (const file of files) {
          const s3 = writeS3Attributes(object.attributes());
          const content = { ...file, mimeType: mimeType ?? file.mimeType, charset, s3 };
          const target = { folder: place.folder, file: content, visibility, metadata };
          const keeps = { keepReplacedMs, replaceLimit };
          stored.push(await catalog.putObject(caller, { ...target, expect, owner, ...keeps }));
        }
        return stored;
      },
    };
    return explainPut(deps, caller, key, async () => {
      const session = await begin(destination, object.length ?? 0);
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

const tooLarge = (maxUploadSize: number): S3Fault =>
  new S3Fault("EntityTooLarge", `An object may have at most ${maxUploadSize} bytes.`, {
    fields: { MaxSizeAllowed: String(maxUploadSize) },
  });

const preconditionFailed = (): S3Fault =>
  new S3Fault("PreconditionFailed", "At least one of the preconditions did not hold.");
