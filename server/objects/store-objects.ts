import type { Blobs } from "../blobs/port.ts";
import type { TreeChanges } from "../catalog/port/changes-by.ts";
import type { FileTree } from "../catalog/port/file-tree.ts";
import type { UploadStorage } from "../files/files.ts";
import type { ReadBytes } from "../files/read.ts";
import { createBeginUpload, type UploadSettings } from "../files/upload/begin-upload.ts";
import { Fault } from "../rules/fault.ts";
import { mediaType } from "../rules/media.ts";
import { splitKey } from "../rules/name.ts";
import type { FileRecord, Key } from "../rules/records.ts";
import { writeS3Attributes } from "../rules/s3/attributes.ts";
import { S3Fault } from "../rules/s3/s3-fault.ts";
import { bucketOf, noSuchBucket, noSuchKey, type ObjectScope } from "./object-scope.ts";
import type { ObjectService, ObjectToPut } from "./object-service.ts";

export interface StoreObjectsParts {
  readonly catalog: Pick<FileTree, "folderByKey" | "fileByKey">;
  readonly changes: Pick<TreeChanges, "putObject" | "putFolderObject">;
  readonly limits: ObjectScope;
  readonly blobs: Blobs;
  readonly storage: UploadStorage;
  readonly read: ReadBytes;
  readonly settings: () => UploadSettings;
}

export function createStoreObjects(
  parts: StoreObjectsParts,
): Pick<ObjectService, "put" | "putFolder" | "copy"> {
  const { catalog, changes, limits, blobs, storage, settings, read } = parts;
  const { within } = limits;

  /** The S3 error of a rejected change. */
  async function explain(error: unknown, key: Key): Promise<unknown> {
    if (!(error instanceof Fault) || error instanceof S3Fault) return error;
    if (error.kind === "precondition_failed") {
      return new S3Fault("PreconditionFailed", "The object is not the expected one.");
    }
    if (error.kind === "not_found") {
      const exists = (await limits.bucket(bucketOf(key))) !== undefined;
      return exists ? noSuchKey() : noSuchBucket(bucketOf(key));
    }
    if (error.kind !== "conflict") return error;
    return (await catalog.folderByKey(key, within)) === undefined
      ? new S3Fault("ObjectParentIsFile", "A part of the key is an object, so nothing is below it.")
      : new S3Fault("ExistingObjectIsDirectory", "There are objects below the key.");
  }

  async function put(object: ObjectToPut): Promise<FileRecord> {
    const { key, length, body, visibility, metadata, expect, attributes } = object;
    await limits.requirePlace("write", key);
    const { maxUploadSize } = settings();
    if ((length ?? 0) > maxUploadSize) throw tooLarge(maxUploadSize);
    const place = splitKey(key);
    if (place === undefined) throw noSuchKey();
    const { folder, name } = place;
    const mimeType = object.mimeType ?? mediaType(name);
    const beginUpload = createBeginUpload({
      ...{ blobs, settings, ...storage },
      names: {
        // The transaction decides.
        takenName: async () => undefined,
        async addFiles({ files, owner }) {
          const s3 = writeS3Attributes(attributes());
          const stored = files.map((file) =>
            changes.putObject({
              ...{ folder, visibility, metadata, owner, expect, within },
              file: { ...file, mimeType, s3 },
            }),
          );
          return Promise.all(stored);
        },
      },
    });
    try {
      const session = await beginUpload(length ?? 0);
      try {
        await session.add(name, mimeType, body);
        const [file] = await session.commit({ folder, onConflict: "replace" });
        if (file === undefined) throw new Error("An object was not stored.");
        return file;
      } finally {
        await session.abort();
      }
    } catch (error) {
      throw await explain(error, key);
    }
  }

  return {
    put,

    async putFolder(key) {
      await limits.requirePlace("write", key);
      try {
        return await changes.putFolderObject({ key, within });
      } catch (error) {
        if (error instanceof Fault && error.kind === "conflict") {
          throw new S3Fault("ObjectParentIsFile", "A part of the key is an object.");
        }
        throw await explain(error, key);
      }
    },

    copy: ({ source, attributes, ...target }) =>
      put({
        ...target,
        length: source.size,
        body: contentOf(read, source),
        attributes: () => attributes,
      }),
  };
}

/** The bytes of a file. S3Fault "OperationAborted": it was replaced meanwhile. */
async function* contentOf(read: ReadBytes, file: FileRecord): AsyncGenerator<Uint8Array> {
  const content = await read(file);
  if ("replacedBy" in content) {
    throw new S3Fault(
      "OperationAborted",
      "The source was replaced while it was copied. Try again.",
    );
  }
  yield* content.body instanceof Blob ? content.body.stream() : content.body;
}

const tooLarge = (maxUploadSize: number): S3Fault =>
  new S3Fault("EntityTooLarge", `An object may have at most ${maxUploadSize} bytes.`, {
    fields: { MaxSizeAllowed: String(maxUploadSize) },
  });
