import type { Authorized } from "../../../domain/callers/authorize.ts";
import { S3Fault } from "../../../domain/faults/s3-fault.ts";
import { childrenOf, childText } from "../../../runtime/xml.ts";
import type { Audited } from "../audited.ts";
import { type BucketInput, bucketKey, requireBucket } from "../s3-input.ts";
import { xmlResponse } from "../s3-response.ts";
import { setBucketSetting } from "../set-bucket-setting.ts";
import { TEXT } from "../xml/document-shape.ts";
import { readXml } from "../xml/read-xml.ts";

const ENFORCED = "BucketOwnerEnforced";
/** The first two differ only where there are several accounts. */
const OWNERSHIPS = ["BucketOwnerPreferred", "ObjectWriter", ENFORCED];

/** PutBucketOwnershipControls. */
export async function putBucketOwnership(
  input: BucketInput<Authorized<"write">>,
): Promise<Audited> {
  await requireBucket(input);
  const document = await readXml(input.content().chunks, "OwnershipControls", {
    Rule: [{ ObjectOwnership: TEXT }],
  });
  const [rule, ...more] = childrenOf(document, "Rule");
  const ownership = rule && childText(rule, "ObjectOwnership")?.trim();
  if (ownership === undefined || more.length > 0 || !OWNERSHIPS.includes(ownership)) {
    throw new S3Fault("MalformedXML", `There must be one rule, of ${OWNERSHIPS.join(", ")}.`);
  }
  return setBucketOwnership(input, ownership);
}

/** GetBucketOwnershipControls. */
export async function getBucketOwnership(input: BucketInput): Promise<Response> {
  await requireBucket(input);
  const { caller, objects, bucket } = input;
  const ownership = (await objects.bucketSettings(caller, bucketKey(bucket)))?.ownership;
  if (ownership !== undefined) {
    return xmlResponse("OwnershipControls", { Rule: { ObjectOwnership: ownership } });
  }
  throw new S3Fault(
    "OwnershipControlsNotFoundError",
    "The bucket ownership controls were not found.",
    { fields: { BucketName: bucket } },
  );
}

/** DeleteBucketOwnershipControls. */
export async function deleteBucketOwnership(
  input: BucketInput<Authorized<"write">>,
): Promise<Audited> {
  return setBucketSetting(input, { name: "ownership", value: null }, 204);
}

/** The value of `x-amz-object-ownership`; undefined: it is left out. S3Fault "InvalidArgument": it is no ownership. */
export function readOwnership(headers: Headers): string | undefined {
  const ownership = headers.get("x-amz-object-ownership")?.trim();
  if (ownership === undefined || OWNERSHIPS.includes(ownership)) return ownership;
  throw new S3Fault("InvalidArgument", `Invalid x-amz-object-ownership: ${ownership}.`, {
    fields: { ArgumentName: "x-amz-object-ownership" },
  });
}

/** S3Fault "InvalidBucketAclWithObjectOwnership": the bucket is public by its ACL. */
export async function setBucketOwnership(
  input: BucketInput<Authorized<"write">>,
  ownership: string,
): Promise<Audited> {
  const { caller, objects, bucket } = input;
  if (ownership === ENFORCED) {
    const settings = await objects.bucketSettings(caller, bucketKey(bucket));
    if (settings?.acl !== undefined) throw aclInTheWay();
  }
  return setBucketSetting(input, { name: "ownership", value: ownership }, 200);
}

/** S3Fault "InvalidBucketAclWithObjectOwnership": a bucket that takes no ACLs is created with one. */
export function rejectAclWithOwnership(
  ownership: string | undefined,
  visibility: "public" | "private" | null,
): void {
  if (ownership === ENFORCED && visibility === "public") throw aclInTheWay();
}

/**
 * S3Fault "AccessControlListNotSupported": the bucket takes no ACLs, and the request has one. null: it has
 * none. That of the owner's full control says nothing.
 */
export async function requireAcls(
  { caller, objects, bucket }: BucketInput,
  acl: string | null,
): Promise<void> {
  if (acl === null || acl === "bucket-owner-full-control") return;
  const settings = await objects.bucketSettings(caller, bucketKey(bucket));
  if (settings?.ownership !== ENFORCED) return;
  throw new S3Fault(
    "AccessControlListNotSupported",
    "The bucket does not allow ACLs: its object ownership is BucketOwnerEnforced.",
  );
}

const aclInTheWay = (): S3Fault =>
  new S3Fault(
    "InvalidBucketAclWithObjectOwnership",
    "Bucket cannot have ACLs set with ObjectOwnership's BucketOwnerEnforced setting.",
  );
