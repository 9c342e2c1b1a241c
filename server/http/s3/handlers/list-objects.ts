import type { Authorized } from "../../../domain/callers/authorize.ts";
import { noSuchBucket, S3Fault } from "../../../domain/faults/s3-fault.ts";
import type { ObjectService } from "../../../objects/object-service.ts";
import { readS3Attributes } from "../../../semantics/s3/attributes.ts";
import { objectEtag } from "../../../semantics/s3/object-etag.ts";
import { objectKeyOf } from "../../../semantics/s3/object-key.ts";
import { STANDARD } from "../../../semantics/s3/storage-class.ts";
import { uriEncode } from "../../../semantics/s3-signature/uri-encode.ts";
import { OWNER } from "../owner.ts";
import { type BucketInput, bucketKey } from "../s3-input.ts";
import { xmlResponse } from "../s3-response.ts";
import { VERSION_ID } from "../version-id.ts";
import type { XmlFields } from "../xml/write-xml.ts";
import { EMPTY_ETAG } from "./get-object.ts";

const MAX_KEYS = 1000;

type ObjectEntry = Awaited<ReturnType<ObjectService["list"]>>["entries"][number];

/** ListObjects and ListObjectsV2. */
export const listObjects = (input: ListInput, shown: "all" | "public" = "all"): Promise<Response> =>
  list({ ...input, onlyPublic: shown === "public" });

/** What a list needs of its request. */
type ListInput = Pick<BucketInput<Authorized<"list">>, "query" | "caller" | "bucket"> & {
  readonly objects: Pick<ObjectService, "bucket" | "list">;
  readonly onlyPublic?: boolean;
};

async function list(input: ListInput): Promise<Response> {
  const { query, bucket } = input;
  const version = query.get("list-type");
  if (version !== undefined && version !== "2") {
    throw new S3Fault("InvalidArgument", "list-type must be 2.");
  }
  return version === "2" ? listV2(input, bucket) : listV1(input, bucket);
}

async function listV1(input: ListInput, bucket: string): Promise<Response> {
  const { query } = input;
  const marker = query.get("marker") ?? "";
  const page = await readPage(input, marker);
  return xmlResponse("ListBucketResult", {
    Name: bucket,
    // SDKs decode all texts of this document but this one.
    Prefix: page.prefix,
    Marker: page.encode(marker),
    MaxKeys: page.limit,
    Delimiter: page.delimiter && page.encode(page.delimiter),
    IsTruncated: page.more,
    // As in S3, a list without a delimiter continues after its last key.
    NextMarker: page.more && page.delimiter ? page.encode(page.last) : undefined,
    EncodingType: page.encoding,
    ...entryFields(page, true),
  });
}

async function listV2(input: ListInput, bucket: string): Promise<Response> {
  const { query } = input;
  const token = query.get("continuation-token");
  const startAfter = query.get("start-after");
  const after = token ? readToken(token) : (startAfter ?? "");
  const page = await readPage(input, after);
  return xmlResponse("ListBucketResult", {
    Name: bucket,
    Prefix: page.encode(page.prefix),
    MaxKeys: page.limit,
    KeyCount: page.entries.length,
    Delimiter: page.delimiter && page.encode(page.delimiter),
    IsTruncated: page.more,
    ContinuationToken: token,
    NextContinuationToken: page.more ? writeToken(page.last) : undefined,
    StartAfter: startAfter && page.encode(startAfter),
    EncodingType: page.encoding,
    ...entryFields(page, query.get("fetch-owner") === "true"),
  });
}

/** ListObjectVersions: every object has one version. */
export async function listVersions(input: BucketInput<Authorized<"list">>): Promise<Response> {
  const { query, bucket } = input;
  const marker = query.get("key-marker") ?? "";
  const page = await readPage(input, marker);
  const { Contents, CommonPrefixes } = entryFields(page, true);
  return xmlResponse("ListVersionsResult", {
    Name: bucket,
    Prefix: page.encode(page.prefix),
    KeyMarker: page.encode(marker),
    VersionIdMarker: query.get("version-id-marker") ?? "",
    MaxKeys: page.limit,
    Delimiter: page.delimiter && page.encode(page.delimiter),
    IsTruncated: page.more,
    NextKeyMarker: page.more ? page.encode(page.last) : undefined,
    NextVersionIdMarker: page.more ? VERSION_ID : undefined,
    EncodingType: page.encoding,
    Version: Contents.map((object) => ({ ...object, VersionId: VERSION_ID, IsLatest: true })),
    CommonPrefixes,
  });
}

interface ListPage {
  readonly entries: readonly ObjectEntry[];
  readonly more: boolean;
  readonly prefix: string;
  readonly delimiter: string | undefined;
  readonly limit: number;
  readonly encoding: string | undefined;
  readonly encode: (text: string) => string;
  /** The next page continues after this; "" without entries. */
  readonly last: string;
}

async function readPage(input: ListInput, after: string): Promise<ListPage> {
  const { query, caller, objects, bucket, onlyPublic = false } = input;
  const prefix = query.get("prefix") ?? "";
  const delimiter = query.get("delimiter") || undefined;
  const limit = query.number("max-keys", MAX_KEYS) ?? MAX_KEYS;
  if ((await objects.bucket(caller, bucketKey(bucket))) === undefined) throw noSuchBucket(bucket);
  const { entries, more } = await objects.list(caller, {
    bucket: bucketKey(bucket),
    prefix,
    after,
    delimiter,
    limit: Math.max(limit, 1),
    onlyPublic,
  });
  const last = entries.at(-1);
  return {
    entries: limit === 0 ? [] : entries,
    more: limit > 0 && more,
    prefix,
    delimiter,
    limit,
    ...readEncoding(query.get("encoding-type")),
    last: last === undefined ? "" : textOf(last),
  };
}

/** Keys as text, or percent-encoded except for slashes. S3Fault "InvalidArgument": another encoding. */
export function readEncoding(type: string | undefined) {
  if (type === undefined) return { encoding: undefined, encode: (text: string) => text };
  if (type !== "url") {
    throw new S3Fault("InvalidArgument", "encoding-type must be url.");
  }
  return {
    encoding: "url",
    encode: (text: string) => uriEncode(text).replaceAll("%2F", "/"),
  };
}

function textOf(entry: ObjectEntry): string {
  if (entry.kind === "prefix") return entry.prefix;
  return entry.kind === "object"
    ? objectKeyOf(entry.file.key)
    : `${objectKeyOf(entry.folder.key)}/`;
}

function entryFields({ entries, encode }: ListPage, showOwner: boolean) {
  const Contents: XmlFields[] = [];
  const CommonPrefixes: XmlFields[] = [];
  const owner = showOwner ? { Owner: OWNER } : {};
  for (const entry of entries) {
    const Key = encode(textOf(entry));
    if (entry.kind === "prefix") CommonPrefixes.push({ Prefix: Key });
    else Contents.push({ Key, ...describe(entry), ...owner });
  }
  return { Contents, CommonPrefixes };
}

function describe(entry: Exclude<ObjectEntry, { kind: "prefix" }>): XmlFields {
  if (entry.kind === "folder") {
    const { updatedAt } = entry.folder;
    return {
      LastModified: iso(updatedAt),
      ETag: `"${EMPTY_ETAG}"`,
      Size: 0,
      StorageClass: STANDARD,
    };
  }
  const { file } = entry;
  const attributes = readS3Attributes(file.s3);
  const algorithms = Object.keys(attributes?.checksums ?? {});
  return {
    LastModified: iso(file.modifiedAt),
    ETag: `"${objectEtag(file)}"`,
    ChecksumAlgorithm: algorithms,
    ChecksumType: algorithms.length === 0 ? undefined : (attributes?.checksumType ?? "FULL_OBJECT"),
    Size: file.size,
    StorageClass: attributes?.storageClass ?? STANDARD,
  };
}

const iso = (instant: number): string => new Date(instant).toISOString();

const writeToken = (last: string): string => Buffer.from(last).toString("base64url");

function readToken(token: string): string {
  const bytes = Buffer.from(token, "base64url");
  const text = bytes.toString();
  if (writeToken(text) === token) return text;
  throw new S3Fault("InvalidArgument", "The continuation token is not one that the server gave.");
}
