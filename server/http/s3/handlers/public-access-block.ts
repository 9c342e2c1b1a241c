import type { Authorized } from "../../../domain/callers/authorize.ts";
import { S3Fault } from "../../../domain/faults/s3-fault.ts";
import { childText } from "../../../runtime/xml.ts";
import type { Audited } from "../audited.ts";
import { type BucketInput, bucketKey, requireBucket } from "../s3-input.ts";
import { xmlResponse } from "../s3-response.ts";
import { setBucketSetting } from "../set-bucket-setting.ts";
import { TEXT } from "../xml/document-shape.ts";
import { readXml } from "../xml/read-xml.ts";

const BLOCKS = [
  ...["BlockPublicAcls", "IgnorePublicAcls", "BlockPublicPolicy", "RestrictPublicBuckets"],
];
const SHAPE = Object.fromEntries(BLOCKS.map((block) => [block, TEXT]));

/** PutPublicAccessBlock: only that nothing is blocked, which is so anyway. */
export async function putPublicAccessBlock(
  input: BucketInput<Authorized<"write">>,
): Promise<Audited> {
  await requireBucket(input);
  const root = "PublicAccessBlockConfiguration";
  const document = await readXml(input.content().chunks, root, SHAPE);
  for (const block of BLOCKS) {
    const value = childText(document, block)?.trim().toLowerCase() ?? "false";
    if (value === "false") continue;
    throw value === "true"
      ? new S3Fault(
          "NotImplemented",
          `The server has no ${block}: whoever may write to a bucket may make its objects public.`,
        )
      : new S3Fault("MalformedXML", `${block} must be true or false.`);
  }
  return setBucketSetting(input, { name: "publicAccessBlock", value: "none" }, 200);
}

/** GetPublicAccessBlock. */
export async function getPublicAccessBlock(input: BucketInput): Promise<Response> {
  await requireBucket(input);
  const { caller, objects, bucket } = input;
  const settings = await objects.bucketSettings(caller, bucketKey(bucket));
  if (settings?.publicAccessBlock !== undefined) {
    return xmlResponse(
      "PublicAccessBlockConfiguration",
      Object.fromEntries(BLOCKS.map((block) => [block, false])),
    );
  }
  throw new S3Fault(
    "NoSuchPublicAccessBlockConfiguration",
    "The bucket has no public access block.",
    { fields: { BucketName: bucket } },
  );
}

/** DeletePublicAccessBlock. */
export async function deletePublicAccessBlock(
  input: BucketInput<Authorized<"write">>,
): Promise<Audited> {
  return setBucketSetting(input, { name: "publicAccessBlock", value: null }, 204);
}
