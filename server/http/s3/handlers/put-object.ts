import { declaredCharset } from "../../../../contract/text/charset.ts";
import type { Authorized } from "../../../domain/callers/authorize.ts";
import { S3Fault } from "../../../domain/faults/s3-fault.ts";
import { splitKey } from "../../../domain/names/name.ts";
import type { ObjectToPut } from "../../../objects/object-service.ts";
import type { S3Attributes } from "../../../semantics/s3/attributes.ts";
import { CHECKSUM_ALGORITHMS, checksumHeader } from "../../../semantics/s3/checksums.ts";
import { headerText } from "../../../semantics/s3/header-text.ts";
import { type ObjectPlace, parseObjectKey } from "../../../semantics/s3/object-key.ts";
import { objectMetadata } from "../../../semantics/s3/object-metadata.ts";
import { keptContentType, objectType } from "../../../semantics/s3/object-type.ts";
import { checksumHeaders } from "../../../semantics/s3/plan-object.ts";
import { readStorageClass } from "../../../semantics/s3/storage-class.ts";
import { parseTagging, type Tags } from "../../../semantics/s3/tags.ts";
import { readWriteCondition, type WriteCondition } from "../../../semantics/s3/write-condition.ts";
import { type Audited, storedFile, storedFolder } from "../audited.ts";
import type { Content } from "../body/read-content.ts";
import { visibilityOfAcl } from "../canned-acl.ts";
import { type BucketInput, type ObjectInput, requireBucket } from "../s3-input.ts";
import { emptyResponse } from "../s3-response.ts";
import { expirationHeader } from "./bucket-lifecycle.ts";
import { requireAcls } from "./bucket-ownership.ts";
import { EMPTY_ETAG } from "./get-object.ts";
import { folderTags } from "./object-tagging.ts";

/** PutObject. A key that ends with a slash makes a folder. */
export async function putObject(input: ObjectInput<Authorized<"write">>): Promise<Audited> {
  const { headers, bucket, objectKey } = input;
  const place = parseObjectKey(bucket, objectKey);
  const details = readObjectDetails(headers, place);
  const expect = readWriteCondition(headers);
  const kept = readKept(headers);
  if (place.isFolder && kept.tags !== undefined) throw folderTags();
  await requireBucket(input);
  await requireAcls(input, headers.get("x-amz-acl"));
  const content = input.content();
  if (place.isFolder) return putFolder(input, place, content, expect);
  const target = { key: place.key, ...details, expect };
  const { file, attributes } = await storeContent(input, content, target, kept);
  const response = emptyResponse(200, {
    ETag: `"${attributes.etag}"`,
    ...checksumHeaders(attributes),
    ...(await expirationHeader(input, file)),
  });
  return storedFile(response, file);
}

/** Stores a content as an object, with the sums that reading it has computed. */
export async function storeContent(
  { caller, objects }: BucketInput<Authorized<"write">>,
  content: Content,
  object: Omit<ObjectToPut, "blob" | "attributes">,
  kept: KeptAttributes,
) {
  const { key, expect } = object;
  const { size: length, chunks: body } = content;
  const blob = await objects.store(caller, { key, length, body, expect });
  const attributes = attributesOf(content, kept);
  const file = await objects.put(caller, { ...object, blob, attributes });
  return { file, attributes };
}

/** What a put, a copy or a multipart upload sets besides the content. */
export function readObjectDetails(headers: Headers, place: ObjectPlace) {
  const name = splitKey(place.key)?.name ?? "";
  return {
    mimeType: objectType(name, headers.get("content-type")),
    charset: declaredCharset(headers.get("content-type")),
    metadata: objectMetadata(
      Array.from(headers, ([header, value]) => [header, headerText(value)] as const),
    ),
    visibility: visibilityOfAcl(headers.get("x-amz-acl")),
  };
}

/** What a client says of an object that the S3 API alone keeps. */
export type KeptAttributes = Pick<S3Attributes, "storageClass" | "tags" | "contentType">;

/** S3Faults "InvalidStorageClass", "InvalidArgument", "InvalidTag". */
export function readKept(headers: Headers): KeptAttributes {
  const tagging = headers.get("x-amz-tagging");
  return keptAttributes(
    headers.get("x-amz-storage-class"),
    tagging === null ? [] : parseTagging(headerText(tagging)),
    headers.get("content-type"),
  );
}

/** S3Fault "InvalidStorageClass". */
export function keptAttributes(
  storageClassName: string | null | undefined,
  tags: Tags,
  declaredType: string | null | undefined,
): KeptAttributes {
  const storageClass = readStorageClass(storageClassName ?? null);
  const contentType = keptContentType(declaredType);
  return {
    ...(storageClass === undefined ? {} : { storageClass }),
    ...(tags.length === 0 ? {} : { tags }),
    ...(contentType === undefined ? {} : { contentType }),
  };
}

/** The attributes of a content that was read to its end. */
function attributesOf(content: Pick<Content, "result">, kept: KeptAttributes): S3Attributes {
  const { md5, checksums } = content.result();
  return {
    etag: md5,
    ...(Object.keys(checksums).length === 0 ? {} : { checksums, checksumType: "FULL_OBJECT" }),
    ...kept,
  };
}

async function putFolder(
  { caller, objects }: ObjectInput<Authorized<"write">>,
  { key }: ObjectPlace,
  content: Content,
  expect: WriteCondition | undefined,
): Promise<Audited> {
  for await (const chunk of content.chunks) {
    if (chunk.length > 0) {
      throw new S3Fault(
        "InvalidArgument",
        "A key that ends with `/` is a folder and has no bytes.",
      );
    }
  }
  const folder = await objects.putFolder(caller, key, expect);
  const headers: Record<string, string> = { ETag: `"${EMPTY_ETAG}"` };
  const { checksums } = content.result();
  for (const algorithm of CHECKSUM_ALGORITHMS) {
    const value = checksums[algorithm];
    if (value !== undefined) headers[checksumHeader(algorithm)] = value;
  }
  return storedFolder(emptyResponse(200, headers), folder);
}
