import { isBucketName } from "../../../contract/text/bucket-name.ts";
import { authorize } from "../../domain/callers/authorize.ts";
import { SYSTEM } from "../../domain/callers/caller.ts";
import { tryParseName } from "../../domain/names/name.ts";
import type { Name } from "../../domain/records.ts";
import type { ObjectService } from "../../objects/object-service.ts";
import { readBucketPolicy } from "../../semantics/s3/stored-policy.ts";
import { REGION } from "./handlers/buckets.ts";
import { listObjects } from "./handlers/list-objects.ts";
import { bucketKey } from "./s3-input.ts";
import type { S3Query } from "./s3-query.ts";
import { emptyResponse, xmlResponse } from "./s3-response.ts";

/** Reads for everyone, on behalf of the system: what is public is decided by itself. */
const EVERYONE = authorize(SYSTEM, "list");

/** The parameters of a list. Any other could name another operation. */
const LIST_PARAMETERS = new Set([
  ...["list-type", "prefix", "delimiter", "marker", "max-keys", "continuation-token"],
  ...["start-after", "encoding-type", "fetch-owner", "x-id"],
]);

/**
 * The response to a request about a bucket without a signature, as its policy and its ACL allow it: a list of the
 * objects that are public. undefined: it is not allowed, whatever exists.
 */
export async function readPublicBucket(
  objects: Pick<ObjectService, "bucketSettings" | "bucket" | "list">,
  { method }: Request,
  given: string,
  query: S3Query,
): Promise<Response | undefined> {
  const bucket = isBucketName(given) ? tryParseName(given) : undefined;
  if (bucket === undefined) return undefined;
  const { lists, locates } = await publicAccess(objects, bucket);
  if (method === "HEAD") {
    const isPlain = query.names.length === 0 && lists;
    return isPlain ? emptyResponse(200, { "x-amz-bucket-region": REGION }) : undefined;
  }
  if (method !== "GET") return undefined;
  if (query.has("location")) {
    const isPlain = query.names.length === 1 && locates;
    return isPlain ? xmlResponse("LocationConstraint", {}) : undefined;
  }
  if (!lists || !query.names.every((name) => LIST_PARAMETERS.has(name))) return undefined;
  return listObjects({ query, bucket, objects, caller: EVERYONE }, "public");
}

async function publicAccess(objects: Pick<ObjectService, "bucketSettings">, bucket: Name) {
  const { policy, acl } = (await objects.bucketSettings(SYSTEM, bucketKey(bucket))) ?? {};
  const stored = policy === undefined ? undefined : readBucketPolicy(policy);
  const current = stored?.bucket === bucketKey(bucket) ? stored : undefined;
  return {
    lists: acl === "public-read" || current?.lists === true,
    locates: current?.locates === true,
  };
}
