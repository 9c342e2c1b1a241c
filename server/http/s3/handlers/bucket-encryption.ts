import type { Authorized } from "../../../domain/callers/authorize.ts";
import { S3Fault } from "../../../domain/faults/s3-fault.ts";
import { childrenOf, childText } from "../../../runtime/xml.ts";
import type { Audited } from "../audited.ts";
import { checkAlgorithm } from "../encryption.ts";
import { type BucketInput, bucketKey, requireBucket } from "../s3-input.ts";
import { xmlResponse } from "../s3-response.ts";
import { setBucketSetting } from "../set-bucket-setting.ts";
import { ANYTHING, TEXT } from "../xml/document-shape.ts";
import { readXml } from "../xml/read-xml.ts";

const ROOT = "ServerSideEncryptionConfiguration";
const SHAPE = {
  Rule: [
    {
      ApplyServerSideEncryptionByDefault: { SSEAlgorithm: TEXT, KMSMasterKeyID: TEXT },
      // Both are about algorithms that every request is refused for.
      BucketKeyEnabled: TEXT,
      BlockedEncryptionTypes: ANYTHING,
    },
  ],
} as const;

/** PutBucketEncryption: only what is so anyway, where the operator says that the volume is encrypted. */
export function createPutBucketEncryption(acceptsEncryption: boolean) {
  return async (input: BucketInput<Authorized<"write">>): Promise<Audited> => {
    await requireBucket(input);
    const document = await readXml(input.content().chunks, ROOT, SHAPE);
    const [rule, ...more] = childrenOf(document, "Rule");
    const [defaults] =
      rule === undefined ? [] : childrenOf(rule, "ApplyServerSideEncryptionByDefault");
    const algorithm = defaults && childText(defaults, "SSEAlgorithm")?.trim();
    if (defaults === undefined || algorithm === undefined || more.length > 0) {
      throw new S3Fault("MalformedXML", "There must be one rule with an SSEAlgorithm.");
    }
    checkAlgorithm(algorithm, acceptsEncryption);
    if (childText(defaults, "KMSMasterKeyID") !== undefined) {
      throw new S3Fault("InvalidArgument", "A KMSMasterKeyID needs the algorithm aws:kms.");
    }
    return setBucketSetting(input, { name: "encryption", value: algorithm }, 200);
  };
}

/** GetBucketEncryption. */
export async function getBucketEncryption(input: BucketInput): Promise<Response> {
  await requireBucket(input);
  const { caller, objects, bucket } = input;
  const algorithm = (await objects.bucketSettings(caller, bucketKey(bucket)))?.encryption;
  if (algorithm !== undefined) {
    return xmlResponse(ROOT, {
      Rule: {
        ApplyServerSideEncryptionByDefault: { SSEAlgorithm: algorithm },
        BucketKeyEnabled: false,
      },
    });
  }
  throw new S3Fault(
    "ServerSideEncryptionConfigurationNotFoundError",
    "The server side encryption configuration was not found.",
    { fields: { BucketName: bucket } },
  );
}

/** DeleteBucketEncryption. */
export const deleteBucketEncryption = (input: BucketInput<Authorized<"write">>): Promise<Audited> =>
  setBucketSetting(input, { name: "encryption", value: null }, 204);
