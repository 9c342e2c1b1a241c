import type { Authorized } from "../../../domain/callers/authorize.ts";
import { S3Fault } from "../../../domain/faults/s3-fault.ts";
import type { FileRecord } from "../../../domain/records.ts";
import type { ReadBytes } from "../../../files/read.ts";
import { readS3Attributes, type S3Attributes } from "../../../semantics/s3/attributes.ts";
import { parseAlgorithm } from "../../../semantics/s3/checksums.ts";
import { FOLDER_ETAG, objectEtag } from "../../../semantics/s3/object-etag.ts";
import { type ObjectPlace, parseObjectKey } from "../../../semantics/s3/object-key.ts";
import { readWriteCondition, type WriteCondition } from "../../../semantics/s3/write-condition.ts";
import { UNSIGNED_BODY } from "../../../semantics/s3-signature/body-format.ts";
import { type Audited, storedFile, storedFolder } from "../audited.ts";
import { readContent } from "../body/read-content.ts";
import { type CopySource, findCopySource } from "../copy-source.ts";
import { ENCRYPTION } from "../encryption.ts";
import { type ObjectInput, requireBucket } from "../s3-input.ts";
import { checksumElements, xmlResponse } from "../s3-response.ts";
import { requireAcls } from "./bucket-ownership.ts";
import { folderTags } from "./object-tagging.ts";
import { type KeptAttributes, readKept, readObjectDetails, storeContent } from "./put-object.ts";

/** Headers with which an object may be copied to itself without new metadata, so that tools can change its storage. */
const CHANGES_OF_ITSELF = ["x-amz-storage-class", ENCRYPTION];

/** CopyObject. Bytes are read only to compute a checksum that the source does not have. */
export function createCopyObject(readBytes: ReadBytes) {
  return async (input: ObjectInput<Authorized<"read" | "write">>): Promise<Audited> => {
    const { headers, caller, objects, bucket, objectKey } = input;
    const place = parseObjectKey(bucket, objectKey);
    const replaces = readDirective(headers, "x-amz-metadata-directive");
    const details = readObjectDetails(headers, place);
    const given = readKept(headers);
    const replacesTags = readDirective(headers, "x-amz-tagging-directive");
    if (!replacesTags && given.tags !== undefined) throw unusedTags();
    if (place.isFolder && given.tags !== undefined) throw folderTags();
    const expect = readWriteCondition(headers);
    await requireBucket(input);
    await requireAcls(input, headers.get("x-amz-acl"));
    const found = await findCopySource(input);
    if (place.isFolder) return copyToFolder(input, place, found, expect);
    if (found.kind === "folder") {
      throw new S3Fault(
        "InvalidRequest",
        "A folder can be copied only to a key that ends with `/`.",
      );
    }
    const source = found.file;
    const changes = replaces || CHANGES_OF_ITSELF.some((name) => headers.has(name));
    if (source.key === place.key && !changes) {
      throw new S3Fault(
        "InvalidRequest",
        "An object can be copied to itself only with x-amz-metadata-directive: REPLACE, a storage class or an encryption.",
      );
    }
    const target = {
      key: place.key,
      mimeType: replaces ? details.mimeType : source.mimeType,
      charset: replaces ? details.charset : source.charset,
      metadata: replaces ? details.metadata : source.metadata,
      // A copy of a private object is not made public by the folder that it goes to.
      visibility: details.visibility ?? (source.visibility === "private" ? "private" : null),
      ...(expect === undefined ? {} : { expect }),
    };
    const algorithm = headers.get("x-amz-checksum-algorithm");
    const former = readS3Attributes(source.s3);
    const tags = replacesTags ? given.tags : former?.tags;
    const contentType = replaces ? given.contentType : former?.contentType;
    const { storageClass } = given;
    const kept: KeptAttributes = {
      // As in S3, it is not copied.
      ...(storageClass === undefined ? {} : { storageClass }),
      ...(tags === undefined ? {} : { tags }),
      ...(contentType === undefined ? {} : { contentType }),
    };
    const attributes = attributesOfCopy(source, kept);
    const wanted = algorithm === null ? undefined : parseAlgorithm(algorithm);
    let file: FileRecord;
    if (wanted === undefined || attributes.checksums?.[wanted] !== undefined) {
      file = await objects.copy(caller, { ...target, source, attributes });
    } else {
      const chunks = readFile(readBytes, source);
      const content = readContent(chunks, headersOf(source), UNSIGNED_BODY, { compute: wanted });
      ({ file } = await storeContent(input, content, target, kept));
    }
    const { checksums = {}, checksumType } = readS3Attributes(file.s3) ?? {};
    const response = xmlResponse("CopyObjectResult", {
      LastModified: new Date(file.modifiedAt).toISOString(),
      ETag: `"${objectEtag(file)}"`,
      ChecksumType: Object.keys(checksums).length === 0 ? undefined : checksumType,
      ...checksumElements(checksums),
    });
    return storedFile(response, file);
  };
}

/** Makes the folder, or does nothing. Clients that mount a bucket copy a folder to itself to change it. */
async function copyToFolder(
  { caller, objects }: ObjectInput<Authorized<"write">>,
  { key }: ObjectPlace,
  source: CopySource,
  expect: WriteCondition | undefined,
): Promise<Audited> {
  if (source.kind === "file" && source.file.size > 0) {
    throw new S3Fault("InvalidArgument", "A key that ends with `/` is a folder and has no bytes.");
  }
  const folder = await objects.putFolder(caller, key, expect);
  const response = xmlResponse("CopyObjectResult", {
    LastModified: new Date(folder.updatedAt).toISOString(),
    ETag: `"${FOLDER_ETAG}"`,
  });
  return storedFolder(response, folder);
}

function attributesOfCopy(source: FileRecord, kept: KeptAttributes): S3Attributes {
  const { storageClass, tags, contentType, ...attributes } = readS3Attributes(source.s3) ?? {
    etag: objectEtag(source),
  };
  return { ...attributes, ...kept };
}

/** Whether the copy gets what the request says, and not what the source has. */
function readDirective(headers: Headers, name: string): boolean {
  const directive = headers.get(name) ?? "COPY";
  if (directive === "COPY" || directive === "REPLACE") return directive === "REPLACE";
  throw new S3Fault("InvalidArgument", `${name} must be COPY or REPLACE.`);
}

/** S3 ignores them, and the client takes them for stored. */
const unusedTags = (): S3Fault =>
  new S3Fault("InvalidArgument", "x-amz-tagging needs x-amz-tagging-directive: REPLACE.");

const headersOf = ({ size }: FileRecord): Headers =>
  new Headers({ "content-length": String(size) });

/** The bytes of a file. S3Fault "OperationAborted": it was replaced meanwhile. */
async function* readFile(readBytes: ReadBytes, file: FileRecord): AsyncGenerator<Uint8Array> {
  const read = await readBytes(file);
  if ("replacedBy" in read) {
    throw new S3Fault(
      "OperationAborted",
      "The source was replaced while it was copied. Try again.",
    );
  }
  yield* read.body instanceof Blob ? read.body.stream() : read.body;
}
