import type { Authorized } from "../../../domain/callers/authorize.ts";
import { S3Fault } from "../../../domain/faults/s3-fault.ts";
import type { FileRecord } from "../../../domain/records.ts";
import { httpDate } from "../../../semantics/etag.ts";
import { readS3Attributes, type S3Attributes } from "../../../semantics/s3/attributes.ts";
import { objectEtag } from "../../../semantics/s3/object-etag.ts";
import { findObjectPlace } from "../../../semantics/s3/object-key.ts";
import { STANDARD } from "../../../semantics/s3/storage-class.ts";
import type { ObjectInput } from "../s3-input.ts";
import { checksumElements, xmlResponse } from "../s3-response.ts";
import { checkVersion } from "../version-id.ts";
import type { XmlFields } from "../xml/write-xml.ts";
import { missingObject } from "./get-object.ts";

const ATTRIBUTES = ["ETag", "Checksum", "ObjectParts", "StorageClass", "ObjectSize"];
const MAX_PARTS = 1000;

/** GetObjectAttributes. */
export async function objectAttributes(input: ObjectInput<Authorized<"read">>): Promise<Response> {
  const { caller, objects, bucket, objectKey, headers } = input;
  checkVersion(input);
  const wanted = readWanted(headers);
  const place = findObjectPlace(bucket, objectKey);
  const file =
    place === undefined || place.isFolder ? undefined : await objects.find(caller, place.key);
  if (file === undefined) throw await missingObject(input);
  const fields = describe(file, headers);
  const shown = Object.entries(fields).filter(([name]) => wanted.has(name));
  return xmlResponse("GetObjectAttributesResponse", Object.fromEntries(shown), {
    "Last-Modified": httpDate(file.modifiedAt),
  });
}

function readWanted(headers: Headers): Set<string> {
  const names = (headers.get("x-amz-object-attributes") ?? "")
    .split(",")
    .map((name) => name.trim());
  if (names.every((name) => ATTRIBUTES.includes(name))) return new Set(names);
  throw new S3Fault(
    "InvalidArgument",
    `x-amz-object-attributes must be a list of ${ATTRIBUTES.join(", ")}.`,
  );
}

function describe(file: FileRecord, headers: Headers): XmlFields {
  const attributes = readS3Attributes(file.s3);
  const checksums = attributes?.checksums ?? {};
  const hasChecksums = Object.keys(checksums).length > 0;
  return {
    ETag: objectEtag(file),
    Checksum: hasChecksums
      ? { ...checksumElements(checksums), ChecksumType: attributes?.checksumType ?? "FULL_OBJECT" }
      : undefined,
    ObjectParts: attributes?.parts === undefined ? undefined : describeParts(attributes, headers),
    StorageClass: attributes?.storageClass ?? STANDARD,
    ObjectSize: file.size,
  };
}

function describeParts(
  { parts = [], partChecksums, checksums = {} }: S3Attributes,
  headers: Headers,
): XmlFields {
  const [algorithm] = Object.keys(checksums);
  const marker = readNumber(headers, "x-amz-part-number-marker") ?? 0;
  const limit = Math.min(readNumber(headers, "x-amz-max-parts") ?? MAX_PARTS, MAX_PARTS);
  const shown = parts.slice(marker, marker + limit).map((Size, index) => {
    const checksum = partChecksums?.[marker + index];
    const isKnown = algorithm !== undefined && checksum !== undefined;
    return {
      PartNumber: marker + index + 1,
      Size,
      ...(isKnown ? { [`Checksum${algorithm}`]: checksum } : {}),
    };
  });
  return {
    PartsCount: parts.length,
    PartNumberMarker: marker,
    NextPartNumberMarker: shown.at(-1)?.PartNumber ?? 0,
    MaxParts: limit,
    IsTruncated: marker + shown.length < parts.length,
    Part: shown,
  };
}

function readNumber(headers: Headers, name: string): number | undefined {
  const text = headers.get(name);
  if (text === null) return undefined;
  if (/^\d{1,5}$/.test(text)) return Number(text);
  throw new S3Fault("InvalidArgument", `${name} must be a whole number.`);
}
