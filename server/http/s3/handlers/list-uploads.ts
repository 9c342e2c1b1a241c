import type { Authorized } from "../../../domain/callers/authorize.ts";
import type { MultipartPage } from "../../../objects/object-service.ts";
import { objectKeyOf } from "../../../semantics/s3/object-key.ts";
import { STANDARD } from "../../../semantics/s3/storage-class.ts";
import { OWNER } from "../owner.ts";
import { type BucketInput, bucketKey, requireBucket } from "../s3-input.ts";
import { xmlResponse } from "../s3-response.ts";
import type { XmlFields } from "../xml/write-xml.ts";
import { readEncoding } from "./list-objects.ts";

const MAX_UPLOADS = 1000;

/** ListMultipartUploads. */
export async function listUploads(input: BucketInput<Authorized<"list">>): Promise<Response> {
  const { query, caller, objects, bucket } = input;
  await requireBucket(input);
  const prefix = query.get("prefix") ?? "";
  const delimiter = query.get("delimiter") || undefined;
  const keyMarker = query.get("key-marker") ?? "";
  const idMarker = query.get("upload-id-marker") ?? "";
  const limit = query.number("max-uploads", MAX_UPLOADS) ?? MAX_UPLOADS;
  const { encoding, encode } = readEncoding(query.get("encoding-type"));
  const page = await objects.multipart.list(caller, {
    bucket: bucketKey(bucket),
    prefix,
    delimiter,
    ...(keyMarker === "" ? {} : { after: { key: keyMarker, id: idMarker } }),
    limit: Math.max(limit, 1),
  });
  const entries = limit === 0 ? [] : page.entries;
  const more = limit > 0 && page.more;
  const last = entries.at(-1);
  return xmlResponse("ListMultipartUploadsResult", {
    Bucket: bucket,
    KeyMarker: encode(keyMarker),
    UploadIdMarker: idMarker,
    NextKeyMarker: more && last !== undefined ? encode(markerOf(last)) : undefined,
    NextUploadIdMarker: more && last?.kind === "upload" ? last.upload.id : undefined,
    Prefix: encode(prefix),
    Delimiter: delimiter && encode(delimiter),
    EncodingType: encoding,
    MaxUploads: limit,
    IsTruncated: more,
    Upload: entries.flatMap((entry) => (entry.kind === "upload" ? [describe(entry, encode)] : [])),
    CommonPrefixes: entries.flatMap((entry) =>
      entry.kind === "prefix" ? [{ Prefix: encode(entry.prefix) }] : [],
    ),
  });
}

type Entry = MultipartPage["entries"][number];

const markerOf = (entry: Entry): string =>
  entry.kind === "prefix" ? entry.prefix : objectKeyOf(entry.upload.key);

function describe(
  { upload }: Extract<Entry, { kind: "upload" }>,
  encode: (text: string) => string,
): XmlFields {
  const { checksumAlgorithm, checksumType, storageClass = STANDARD } = upload.attributes;
  return {
    Key: encode(objectKeyOf(upload.key)),
    UploadId: upload.id,
    Initiator: OWNER,
    Owner: OWNER,
    StorageClass: storageClass,
    Initiated: new Date(upload.createdAt).toISOString(),
    ChecksumAlgorithm: checksumAlgorithm,
    ChecksumType: checksumType,
  };
}
