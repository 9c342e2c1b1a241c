import type { Authorized } from "../../../domain/callers/authorize.ts";
import { S3Fault } from "../../../domain/faults/s3-fault.ts";
import { noSuchUpload } from "../../../objects/visible-buckets.ts";
import { wholeSeconds } from "../../../semantics/etag.ts";
import {
  type ChecksumAlgorithm,
  checksumHeader,
  parseAlgorithm,
} from "../../../semantics/s3/checksums.ts";
import { MAX_PART_NUMBER } from "../../../semantics/s3/choose-parts.ts";
import { readChecksumChoice } from "../../../semantics/s3/multipart-checksum.ts";
import { parseTime } from "../../../semantics/s3/removal-condition.ts";
import { STANDARD } from "../../../semantics/s3/storage-class.ts";
import { OWNER } from "../owner.ts";
import { type ObjectInput, parseUploadKey, readUploadId, requireBucket } from "../s3-input.ts";
import type { S3Query } from "../s3-query.ts";
import { checksumElements, emptyResponse, xmlResponse } from "../s3-response.ts";
import { requireAcls } from "./bucket-ownership.ts";
import { readKept, readObjectDetails } from "./put-object.ts";

const MAX_PARTS = 1000;

export async function createMultipart(input: ObjectInput<Authorized<"write">>): Promise<Response> {
  const { headers, caller, objects, bucket, objectKey } = input;
  const key = parseUploadKey(input);
  const choice = readChecksumChoice(headers);
  const details = readObjectDetails(headers, { key, isFolder: false });
  const kept = readKept(headers);
  await requireBucket(input);
  await requireAcls(input, headers.get("x-amz-acl"));
  const { id } = await objects.multipart.create(caller, {
    key,
    ...details,
    ...choice,
    ...kept,
  });
  const { checksumAlgorithm, checksumType } = choice;
  const extra: Record<string, string> = {};
  if (checksumAlgorithm !== undefined) extra["x-amz-checksum-algorithm"] = checksumAlgorithm;
  if (checksumType !== undefined) extra["x-amz-checksum-type"] = checksumType;
  return xmlResponse(
    "InitiateMultipartUploadResult",
    { Bucket: bucket, Key: objectKey, UploadId: id },
    extra,
  );
}

export async function uploadPart(input: ObjectInput<Authorized<"write">>): Promise<Response> {
  const { headers, caller, objects, query, content } = input;
  const upload = readUploadId(input);
  const number = readPartNumber(query);
  const { attributes } = await objects.multipart.find(caller, upload.id, upload.key);
  const algorithm =
    attributes.checksumAlgorithm === undefined
      ? undefined
      : parseAlgorithm(attributes.checksumAlgorithm);
  rejectOtherChecksum(headers, algorithm);
  const body = content({ compute: algorithm });
  const { size: length, chunks } = body;
  const stored = await objects.multipart.storePart(caller, {
    ...upload,
    number,
    length,
    body: chunks,
  });
  const { md5, checksums } = body.result();
  await objects.multipart.putPart(caller, { stored, md5, checksums });
  return emptyResponse(200, {
    ETag: `"${md5}"`,
    ...Object.fromEntries(
      Object.entries(checksums).map(([name, value]) => [
        checksumHeader(parseAlgorithm(name)),
        value,
      ]),
    ),
  });
}

/** S3Fault "InvalidRequest": the part has a checksum of another algorithm than the upload. */
function rejectOtherChecksum(headers: Headers, algorithm: ChecksumAlgorithm | undefined): void {
  const given = headers.get("x-amz-sdk-checksum-algorithm");
  if (given === null || algorithm === undefined || parseAlgorithm(given) === algorithm) return;
  throw new S3Fault(
    "InvalidRequest",
    `The upload was created with the checksum algorithm ${algorithm}, and this part has ${given}.`,
  );
}

/** S3Fault "InvalidArgument": it is not a number from 1 to 10,000. */
export function readPartNumber(query: S3Query): number {
  const number = query.number("partNumber", MAX_PART_NUMBER + 1) ?? 0;
  if (number >= 1 && number <= MAX_PART_NUMBER) return number;
  throw new S3Fault("InvalidArgument", `partNumber must be from 1 to ${MAX_PART_NUMBER}.`, {
    fields: { ArgumentName: "partNumber", ArgumentValue: query.get("partNumber") ?? "" },
  });
}

/** AbortMultipartUpload, of an upload that was begun at a certain time if the client names one. */
export async function abortMultipart(input: ObjectInput<Authorized<"write">>): Promise<Response> {
  const initiated = input.headers.get("x-amz-if-match-initiated-time");
  const expected = initiated === null ? undefined : parseTime(initiated);
  await requireBucket(input);
  const { id, key } = readUploadId(input);
  if (expected !== undefined) {
    const { createdAt } = await input.objects.multipart.find(input.caller, id, key);
    if (wholeSeconds(createdAt) !== expected) {
      throw new S3Fault("PreconditionFailed", "The upload was not begun at this time.");
    }
  }
  await input.objects.multipart.abort(input.caller, id, key);
  return emptyResponse(204);
}

export async function listParts(
  input: ObjectInput<Authorized<"list"> | Authorized<"write">>,
): Promise<Response> {
  const { caller, objects, query, bucket, objectKey } = input;
  await requireBucket(input);
  const { id, key } = readUploadId(input);
  const marker = query.number("part-number-marker", MAX_PART_NUMBER) ?? 0;
  const limit = query.number("max-parts", MAX_PARTS) ?? MAX_PARTS;
  const { attributes, state } = await objects.multipart.find(caller, id, key);
  if (state === "finished") throw noSuchUpload();
  const { parts, more } = await objects.multipart.parts(
    caller,
    id,
    key,
    marker,
    Math.max(limit, 1),
  );
  const shown = limit === 0 ? [] : parts;
  const last = shown.at(-1)?.number ?? 0;
  return xmlResponse("ListPartsResult", {
    Bucket: bucket,
    Key: objectKey,
    UploadId: id,
    Initiator: OWNER,
    Owner: OWNER,
    StorageClass: attributes.storageClass ?? STANDARD,
    PartNumberMarker: marker,
    NextPartNumberMarker: last,
    MaxParts: limit,
    IsTruncated: limit > 0 && more,
    ChecksumAlgorithm: attributes.checksumAlgorithm,
    ChecksumType: attributes.checksumType,
    Part: shown.map(({ number, size, md5, modifiedAt, checksums }) => ({
      PartNumber: number,
      LastModified: new Date(modifiedAt).toISOString(),
      ETag: `"${md5}"`,
      Size: size,
      ...checksumElements(checksums),
    })),
  });
}
