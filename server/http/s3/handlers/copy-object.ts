import type { ReadBytes } from "../../../files/read.ts";
import type { FileRecord } from "../../../rules/records.ts";
import { readS3Attributes } from "../../../rules/s3/attributes.ts";
import { UNSIGNED_BODY } from "../../../rules/s3/body-format.ts";
import { parseAlgorithm } from "../../../rules/s3/checksums.ts";
import { objectEtag } from "../../../rules/s3/object-etag.ts";
import { parseObjectKey } from "../../../rules/s3/object-key.ts";
import { S3Fault } from "../../../rules/s3/s3-fault.ts";
import { readWriteCondition } from "../../../rules/s3/write-condition.ts";
import { type Audited, storedFile } from "../audited.ts";
import { readContent } from "../body/read-content.ts";
import { findCopySource } from "../copy-source.ts";
import { requireBucket } from "../require-bucket.ts";
import type { ObjectInput } from "../s3-input.ts";
import { checksumElements, xmlResponse } from "../s3-response.ts";
import { rejectUnsupportedHeaders } from "../unsupported-headers.ts";
import { attributesOf, readObjectDetails } from "./put-object.ts";

/** CopyObject. Bytes are read only to compute a checksum that the source does not have. */
export function createCopyObject(readBytes: ReadBytes) {
  return async (input: ObjectInput): Promise<Audited> => {
    const { headers, objects, bucket, objectKey } = input;
    rejectUnsupportedHeaders(headers);
    const place = parseObjectKey(bucket, objectKey);
    if (place.isFolder) {
      throw new S3Fault(
        "InvalidArgument",
        "An object cannot be copied to a key that ends with `/`.",
      );
    }
    const replaces = replacesMetadata(headers);
    const details = readObjectDetails(headers, place);
    const expect = readWriteCondition(headers);
    await requireBucket(input);
    const source = await findCopySource(input);
    if (source.key === place.key && !replaces) {
      throw new S3Fault(
        "InvalidRequest",
        "An object can be copied to itself only with x-amz-metadata-directive: REPLACE.",
      );
    }
    const target = {
      key: place.key,
      mimeType: replaces ? details.mimeType : source.mimeType,
      metadata: replaces ? details.metadata : source.metadata,
      // A copy of a private object is not made public by the folder that it goes to.
      visibility: details.visibility ?? (source.visibility === "private" ? "private" : null),
      ...(expect === undefined ? {} : { expect }),
    };
    const algorithm = headers.get("x-amz-checksum-algorithm");
    const attributes = readS3Attributes(source.s3);
    const wanted = algorithm === null ? undefined : parseAlgorithm(algorithm);
    let file: FileRecord;
    if (wanted === undefined || attributes?.checksums?.[wanted] !== undefined) {
      file = await objects.copy({
        ...{ ...target, source },
        attributes: attributes ?? { etag: objectEtag(source) },
      });
    } else {
      const chunks = readFile(readBytes, source);
      const content = readContent(chunks, headersOf(source), UNSIGNED_BODY, { compute: wanted });
      file = await objects.put({
        ...target,
        length: source.size,
        body: content.chunks,
        attributes: () => attributesOf(content),
      });
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

function replacesMetadata(headers: Headers): boolean {
  const directive = headers.get("x-amz-metadata-directive") ?? "COPY";
  if (directive === "COPY" || directive === "REPLACE") return directive === "REPLACE";
  throw new S3Fault("InvalidArgument", "x-amz-metadata-directive must be COPY or REPLACE.");
}

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
