import type { Authorized } from "../../../domain/callers/authorize.ts";
import { S3Fault } from "../../../domain/faults/s3-fault.ts";
import type { FileRecord, Key } from "../../../domain/records.ts";
import { childrenOf, childText, type XmlElement } from "../../../runtime/xml.ts";
import { readS3Attributes, type S3Attributes } from "../../../semantics/s3/attributes.ts";
import {
  CHECKSUM_ALGORITHMS,
  checksumHeader,
  parseAlgorithm,
} from "../../../semantics/s3/checksums.ts";
import {
  chooseParts,
  type ListedPart,
  MAX_PART_NUMBER,
  multipartEtag,
} from "../../../semantics/s3/choose-parts.ts";
import type { MultipartRecord, PartRecord } from "../../../semantics/s3/multipart.ts";
import {
  type ChecksumType,
  combineChecksums,
  writtenChecksums,
} from "../../../semantics/s3/multipart-checksum.ts";
import { bareEtag, objectEtag } from "../../../semantics/s3/object-etag.ts";
import { readWriteCondition } from "../../../semantics/s3/write-condition.ts";
import { type Audited, storedFile } from "../audited.ts";
import { type ObjectInput, readUploadId, requireBucket } from "../s3-input.ts";
import { checksumElements, xmlResponse } from "../s3-response.ts";
import { TEXT } from "../xml/document-shape.ts";
import { readXml } from "../xml/read-xml.ts";

const PAGE = 1000;

const UPLOAD = {
  Part: [
    {
      PartNumber: TEXT,
      ETag: TEXT,
      ...Object.fromEntries(CHECKSUM_ALGORITHMS.map((name) => [`Checksum${name}`, TEXT])),
    },
  ],
} as const;

/** CompleteMultipartUpload. A repeated one gets the same answer. */
export async function completeMultipart(input: ObjectInput<Authorized<"write">>): Promise<Audited> {
  const { headers, caller, objects, origin, bucket, objectKey } = input;
  await requireBucket(input);
  const upload = readUploadId(input);
  const expect = readWriteCondition(headers);
  const listed = await readListedParts(input);
  const record = await objects.multipart.find(caller, upload.id, upload.key);
  const etag = multipartEtag(listed.map((part) => part.etag));
  let parts: readonly PartRecord[] = [];
  if (record.state !== "finished") {
    parts = chooseParts(listed, await storedParts(input, upload), upload.id);
  } else if (record.etag !== etag) {
    throw new S3Fault("NoSuchUpload", "The upload was completed with other parts.");
  }
  const attributes =
    record.state === "finished" ? { etag } : attributesOf(record, parts, etag, headers);
  const file = await objects.multipart.complete(caller, {
    ...upload,
    parts,
    ...(expect === undefined ? {} : { expect }),
    attributes,
  });
  return storedFile(describe(file, { bucket, objectKey, origin }), file);
}

function describe(
  file: FileRecord,
  { bucket, objectKey, origin }: Pick<ObjectInput, "bucket" | "objectKey" | "origin">,
): Response {
  const attributes = readS3Attributes(file.s3);
  const { checksums = {}, checksumType } = attributes ?? {};
  return xmlResponse("CompleteMultipartUploadResult", {
    Location: `${origin}/${bucket}/${objectKey.split("/").map(encodeURIComponent).join("/")}`,
    Bucket: bucket,
    Key: objectKey,
    ETag: `"${objectEtag(file)}"`,
    ...checksumElements(checksums),
    ChecksumType: Object.keys(checksums).length === 0 ? undefined : checksumType,
  });
}

async function readListedParts(input: ObjectInput): Promise<ListedPart[]> {
  const content = input.content({ checksumOf: "object" });
  const document = await readXml(content.chunks, "CompleteMultipartUpload", UPLOAD);
  const elements = childrenOf(document, "Part");
  if (elements.length === 0 || elements.length > MAX_PART_NUMBER) {
    throw new S3Fault("MalformedXML", `An upload has 1 to ${MAX_PART_NUMBER} parts.`);
  }
  return elements.map(readListedPart);
}

function readListedPart(element: XmlElement): ListedPart {
  const number = childText(element, "PartNumber")?.trim() ?? "";
  const etag = childText(element, "ETag");
  if (!/^\d{1,9}$/.test(number) || etag === undefined) {
    throw new S3Fault("MalformedXML", "Every Part needs a PartNumber and an ETag.");
  }
  const checksums: Record<string, string> = {};
  for (const algorithm of CHECKSUM_ALGORITHMS) {
    const value = childText(element, `Checksum${algorithm}`)?.trim();
    if (value !== undefined && value !== "") checksums[algorithm] = value;
  }
  return { number: Number(number), etag: bareEtag(etag), checksums };
}

async function storedParts(
  { caller, objects }: ObjectInput<Authorized<"write">>,
  { id, key }: { readonly id: string; readonly key: Key },
): Promise<Map<number, PartRecord>> {
  const stored = new Map<number, PartRecord>();
  for (let after = 0; ; ) {
    const { parts, more } = await objects.multipart.parts(caller, id, key, after, PAGE);
    for (const part of parts) stored.set(part.number, part);
    after = parts.at(-1)?.number ?? MAX_PART_NUMBER;
    if (!more) return stored;
  }
}

/** S3Fault "InvalidRequest": the parts do not have the size that the client expects together. */
function checkSize(headers: Headers, parts: readonly PartRecord[]): void {
  const expected = headers.get("x-amz-mp-object-size");
  if (expected === null) return;
  const size = parts.reduce((sum, part) => sum + part.size, 0);
  if (expected.trim() === String(size)) return;
  throw new S3Fault("InvalidRequest", `The parts have ${size} bytes, not x-amz-mp-object-size.`);
}

/**
 * S3Faults "BadDigest" and "InvalidRequest": the object will not have the checksum or the size that the
 * client expects.
 */
function attributesOf(
  { attributes: upload }: MultipartRecord,
  parts: readonly PartRecord[],
  etag: string,
  headers: Headers,
): S3Attributes {
  const { checksumAlgorithm, checksumType, storageClass, tags, contentType } = upload;
  checkSize(headers, parts);
  const checksums = combineChecksums(checksumAlgorithm, checksumType, parts);
  checkExpectedChecksums(headers, checksumType, parts);
  const attributes = {
    etag,
    parts: parts.map(({ size }) => size),
    ...(storageClass === undefined ? {} : { storageClass }),
    ...(tags === undefined ? {} : { tags }),
    ...(contentType === undefined ? {} : { contentType }),
  };
  if (Object.keys(checksums).length === 0) return attributes;
  const partChecksums = checksumsOfParts(parts, checksumAlgorithm);
  return {
    ...attributes,
    checksums,
    checksumType: checksumType ?? "COMPOSITE",
    ...(partChecksums === undefined ? {} : { partChecksums }),
  };
}

/**
 * Compares the checksums that the client expects of the object. S3Faults "BadDigest"; "InvalidRequest":
 * another type than the upload's, or the parts have no checksum of the algorithm.
 */
function checkExpectedChecksums(
  headers: Headers,
  type: ChecksumType | undefined,
  parts: readonly PartRecord[],
): void {
  const expectedType = headers.get("x-amz-checksum-type")?.trim();
  if (expectedType !== undefined && type !== undefined && expectedType !== type) {
    throw new S3Fault("InvalidRequest", `The upload was created with the checksum type ${type}.`);
  }
  for (const algorithm of CHECKSUM_ALGORITHMS) {
    const expected = headers.get(checksumHeader(algorithm))?.trim();
    if (expected === undefined) continue;
    const right = writtenChecksums(algorithm, type, parts);
    if (right.includes(expected)) continue;
    throw right.length === 0
      ? new S3Fault("InvalidRequest", `The parts were uploaded without a checksum ${algorithm}.`)
      : new S3Fault("BadDigest", `The object will not have the ${algorithm} of the request.`);
  }
}

/** What the record of a file may hold: clients that list parts ask for this many at once. */
const MAX_PART_CHECKSUMS = 1000;

/** undefined: there are too many to keep, or a part has none. */
function checksumsOfParts(
  parts: readonly PartRecord[],
  algorithm: string | undefined,
): string[] | undefined {
  if (algorithm === undefined || parts.length > MAX_PART_CHECKSUMS) return undefined;
  const name = parseAlgorithm(algorithm);
  const values = parts.flatMap(({ checksums }) => checksums[name] ?? []);
  return values.length === parts.length ? values : undefined;
}
