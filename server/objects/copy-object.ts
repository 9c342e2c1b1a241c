import { Fault } from "../domain/fault.ts";
import { keepReplacedMs } from "../domain/keep-time.ts";
import { mediaType } from "../domain/media.ts";
import { ROOT_KEY, splitKey } from "../domain/names/name.ts";
import type { FileRecord } from "../domain/records.ts";
import { noSuchBucket, noSuchKey } from "../domain/s3-fault.ts";
import { writeS3Attributes } from "../semantics/s3/attributes.ts";
import { assembleBlob } from "./assemble-blob.ts";
import type { ObjectsDeps } from "./deps.ts";
import { explainPut } from "./explain-put.ts";
import type { ObjectCaller } from "./object-caller.ts";
import type { ObjectToCopy } from "./object-service.ts";
import { requirePlace, requireWrite } from "./put-object.ts";

/** Copies the bytes too: a blob belongs to one file. */
export function createCopyObject(deps: ObjectsDeps, caller: ObjectCaller) {
  const { catalog, storage, settings } = deps;
  const changes = catalog.by(caller.actor);

  return async (object: ObjectToCopy): Promise<FileRecord> => {
    const { source, key, charset = null, metadata, visibility, expect } = object;
    const place = splitKey(key);
    if (place === undefined || place.folder === ROOT_KEY) throw noSuchBucket(key);
    await requireWrite(caller, key);
    await requirePlace(caller, key);
    const { size, checksum, sha256 } = source;
    const mimeType = object.mimeType ?? mediaType(place.name, undefined);
    const s3 = writeS3Attributes(object.attributes);
    const pieces = [{ blobId: source.blobId, start: 0, end: size }];
    const copied = await explainPut(deps, caller, key, () =>
      assembleBlob(deps, pieces, (blobId) =>
        changes.putObject({
          folder: place.folder,
          file: { name: place.name, mimeType, charset, size, blobId, checksum, sha256, s3 },
          visibility,
          metadata,
          expect,
          keepReplacedMs: keepReplacedMs(settings()),
          owner: storage.blobIds.owner,
          within: caller.within,
        }),
      ),
    ).catch((error: unknown) => {
      // The source was replaced or deleted after it was found.
      throw error instanceof Fault && error.kind === "gone" ? noSuchKey() : error;
    });
    storage.onReplaced();
    return copied;
  };
}
