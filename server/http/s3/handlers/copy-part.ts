import type { Authorized } from "../../../domain/callers/authorize.ts";
import { S3Fault } from "../../../domain/faults/s3-fault.ts";
import type { FileRecord } from "../../../domain/records.ts";
import type { Slice } from "../../../semantics/parse-range.ts";
import { findCopiedFile } from "../copy-source.ts";
import { type ObjectInput, readUploadId } from "../s3-input.ts";
import { checksumElements, xmlResponse } from "../s3-response.ts";
import { readPartNumber } from "./multipart.ts";

/** UploadPartCopy. */
export async function copyPart(
  input: ObjectInput<Authorized<"read" | "write">>,
): Promise<Response> {
  const { headers, caller, objects, query } = input;
  const upload = readUploadId(input);
  const number = readPartNumber(query);
  await objects.multipart.find(caller, upload.id, upload.key);
  const source = await findCopiedFile(input);
  const range = headers.get("x-amz-copy-source-range");
  const { md5, modifiedAt, checksums } = await objects.multipart.copyPart(caller, {
    ...upload,
    number,
    source,
    ...(range === null ? {} : { slice: readSlice(range, source) }),
  });
  return xmlResponse("CopyPartResult", {
    LastModified: new Date(modifiedAt).toISOString(),
    ETag: `"${md5}"`,
    ...checksumElements(checksums),
  });
}

/** S3Faults "InvalidArgument": it is no such range; "InvalidRange": the source is shorter. */
function readSlice(range: string, { size }: FileRecord): Slice {
  const [, first = "", last = ""] = /^bytes=(\d{1,15})-(\d{1,15})$/.exec(range) ?? [];
  const slice = { start: Number(first), end: Number(last) + 1 };
  if (first === "" || slice.start >= slice.end) {
    throw new S3Fault(
      "InvalidArgument",
      "x-amz-copy-source-range must be bytes=FIRST-LAST, with the numbers of the first and the last byte.",
    );
  }
  if (slice.end <= size) return slice;
  throw new S3Fault("InvalidRange", `The source has only ${size} bytes.`);
}
