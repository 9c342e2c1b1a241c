import { isBucketName } from "../../../../contract/text/bucket-name.ts";
import { compareUtf8 } from "../../../../contract/text/utf8-order.ts";
import type { Authorized } from "../../../domain/callers/authorize.ts";
import { S3Fault } from "../../../domain/faults/s3-fault.ts";
import { childrenOf } from "../../../runtime/xml.ts";
import { MAX_BUCKET_TAGS, type Tags } from "../../../semantics/s3/tags.ts";
import { type Audited, changedBucket } from "../audited.ts";
import { visibilityOfAcl } from "../canned-acl.ts";
import { OWNER } from "../owner.ts";
import { type BucketInput, bucketKey, requireBucket, type S3Input } from "../s3-input.ts";
import { emptyResponse, xmlResponse } from "../s3-response.ts";
import { ANYTHING, TEXT } from "../xml/document-shape.ts";
import { readXml } from "../xml/read-xml.ts";
import { readTagSet, TAG_SET } from "../xml/tagging.ts";
import { setBucketAcl } from "./acl.ts";
import { readOwnership, rejectAclWithOwnership, setBucketOwnership } from "./bucket-ownership.ts";
import { setBucketTags } from "./bucket-tagging.ts";

export const REGION = "us-east-1";
const MAX_BUCKETS = 10_000;

export async function listBuckets({
  caller,
  objects,
  query,
}: S3Input<Authorized<"list">>): Promise<Response> {
  const limit = query.number("max-buckets", MAX_BUCKETS) ?? MAX_BUCKETS;
  const prefix = query.get("prefix") ?? "";
  const after = query.get("continuation-token") ?? "";
  const all = await objects.listBuckets(caller);
  const wanted = all
    .filter(({ name }) => name.startsWith(prefix) && compareUtf8(name, after) > 0)
    .slice(0, limit + 1);
  const page = wanted.slice(0, limit);
  return xmlResponse("ListAllMyBucketsResult", {
    Owner: OWNER,
    Buckets: {
      Bucket: page.map(({ name, createdAt }) => ({
        Name: name,
        CreationDate: new Date(createdAt).toISOString(),
        BucketRegion: REGION,
      })),
    },
    ContinuationToken: wanted.length > page.length ? page.at(-1)?.name : undefined,
    Prefix: prefix === "" ? undefined : prefix,
  });
}

export async function createBucket(input: BucketInput<Authorized<"write">>): Promise<Audited> {
  const { caller, objects, bucket } = input;
  if (!isBucketName(bucket)) {
    throw new S3Fault(
      "InvalidBucketName",
      "A bucket name has 3 to 63 lower-case letters, digits, dots and hyphens, with a letter or digit at both ends, no dot beside a dot or hyphen, and is no IP address.",
      { fields: { BucketName: bucket } },
    );
  }
  const visibility = visibilityOfAcl(input.headers.get("x-amz-acl"));
  const ownership = readOwnership(input.headers);
  rejectAclWithOwnership(ownership, visibility);
  const tags = await readConfiguration(input);
  // As in S3's region us-east-1, creating one's own bucket again is no error.
  await objects.createBucket(caller, bucketKey(bucket));
  if (visibility === "public") await setBucketAcl(input, visibility);
  if (ownership !== undefined) await setBucketOwnership(input, ownership);
  if (tags.length > 0) await setBucketTags(input, tags, 200);
  return {
    response: emptyResponse(200, { Location: `/${bucket}` }),
    subject: { kind: "folder", id: null, name: bucket },
    detail: {},
  };
}

/** The tags of the new bucket. The server has no regions, so any location will do. S3Fault "NotImplemented". */
async function readConfiguration({ content }: BucketInput): Promise<Tags> {
  const { size, chunks } = content();
  if (size === 0) return [];
  const document = await readXml(chunks, "CreateBucketConfiguration", {
    LocationConstraint: TEXT,
    Location: ANYTHING,
    Bucket: ANYTHING,
    Tags: TAG_SET,
  });
  if (childrenOf(document, "Bucket").length > 0) {
    throw new S3Fault("NotImplemented", "The server has no directory buckets.");
  }
  const [tags] = childrenOf(document, "Tags");
  return tags === undefined ? [] : readTagSet(tags, MAX_BUCKET_TAGS);
}

export async function headBucket(input: BucketInput): Promise<Response> {
  await requireBucket(input);
  return emptyResponse(200, { "x-amz-bucket-region": REGION });
}

export async function deleteBucket(input: BucketInput<Authorized<"delete">>): Promise<Audited> {
  const { id } = await requireBucket(input);
  await input.objects.removeBucket(input.caller, bucketKey(input.bucket));
  return changedBucket(input, id, emptyResponse(204));
}
