import { type S3ErrorCode, S3Fault } from "../../../domain/faults/s3-fault.ts";
import { type BucketHandler, type BucketInput, requireBucket } from "../s3-input.ts";
import { emptyResponse, xmlResponse } from "../s3-response.ts";
import type { XmlFields } from "../xml/write-xml.ts";

/*
 * What clients ask for to find out what a server can do. The answer is that nothing is configured; a
 * request to configure it gets NotImplemented.
 */

const document =
  (root: string, fields: XmlFields = {}): BucketHandler =>
  async (input) => {
    await requireBucket(input);
    return xmlResponse(root, fields);
  };

const notConfigured =
  (code: S3ErrorCode, message: string): BucketHandler =>
  async (input: BucketInput) => {
    await requireBucket(input);
    throw new S3Fault(code, message, { fields: { BucketName: input.bucket } });
  };

/** Answers requests for analytics and other configurations, which a bucket has by an id. */
export const noConfiguration = notConfigured(
  "NoSuchConfiguration",
  "The specified configuration does not exist.",
);

/** The list of the configurations of a kind, of which a bucket may have several, or one by its id. */
const noneOf = (root: string): BucketHandler => {
  const list = document(root, { IsTruncated: false });
  return (input) => (input.query.has("id") ? noConfiguration(input) : list(input));
};

export const bucketStubs = {
  // The region us-east-1 is the empty one.
  "GET?location": document("LocationConstraint"),
  "GET?versioning": document("VersioningConfiguration"),
  "GET?accelerate": document("AccelerateConfiguration"),
  "GET?logging": document("BucketLoggingStatus"),
  "GET?notification": document("NotificationConfiguration"),
  "GET?requestPayment": document("RequestPaymentConfiguration", { Payer: "BucketOwner" }),
  "GET?website": notConfigured("NoSuchWebsiteConfiguration", "The bucket is no website."),
  "GET?object-lock": notConfigured(
    "ObjectLockConfigurationNotFoundError",
    "The bucket has no object lock.",
  ),
  "GET?replication": notConfigured(
    "ReplicationConfigurationNotFoundError",
    "The bucket is not replicated.",
  ),
  "GET?abac": document("AbacStatus", { Status: "Disabled" }),
  "GET?analytics": noneOf("ListBucketAnalyticsConfigurationResult"),
  "GET?intelligent-tiering": noneOf("ListBucketIntelligentTieringConfigurationsOutput"),
  "GET?inventory": noneOf("ListInventoryConfigurationsResult"),
  "GET?metrics": noneOf("ListMetricsConfigurationsResult"),
};

/** Answers DELETE of a setting that buckets do not have: nothing is left to remove. */
export const nothingToRemove: BucketHandler = async (input) => {
  await requireBucket(input);
  return emptyResponse(204);
};
