import { Fault } from "../domain/faults/fault.ts";
import { noSuchBucket, noSuchKey } from "../domain/faults/s3-fault.ts";
import { keepReplaced } from "../domain/keep-time.ts";
import { mediaType } from "../domain/media.ts";
import { ROOT_KEY, splitKey } from "../domain/names/name.ts";
import { writeS3Attributes } from "../semantics/s3/attributes.ts";
import { assembleBlob } from "./assemble-blob.ts";
import type { SharedObjectDeps } from "./deps.ts";
import { explainPut } from "./explain-put.ts";
import type { ObjectService } from "./object-service.ts";

/** Copies the bytes too: a blob belongs to one file. */
export function createCopyObject(deps: SharedObjectDeps): ObjectService["copy"] {
  const { catalog, storage, settings, buckets } = deps;

  return async (caller, object) => {
    const { source, key, charset = null, metadata, visibility, expect } = object;
    const place = splitKey(key);
    if (place === undefined || place.folder === ROOT_KEY) throw noSuchBucket(key);
    await buckets.requirePlace(caller, key);
    const { size, checksum, sha256 } = source;
    await storage.quotas.admit({ folder: place.folder, bytes: size, replaces: place.name });
    const mimeType = object.mimeType ?? mediaType(place.name, undefined);
    const s3 = writeS3Attributes(object.attributes);
    const pieces = [{ blobId: source.blobId, start: 0, end: size }];
    const copied = await explainPut(deps, caller, key, () =>
      assembleBlob(deps, pieces, (blobId) =>
        catalog.putObject(caller, {
          folder: place.folder,
          file: { name: place.name, mimeType, charset, size, blobId, checksum, sha256, s3 },
          visibility,
          metadata,
          expect,
          ...keepReplaced(caller, settings()),
          owner: storage.blobIds.owner,
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
