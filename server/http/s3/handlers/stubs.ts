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

const noConfiguration = notConfigured(
  "NoSuchConfiguration",
  "The specified configuration does not exist.",
);

/** The list of the configurations of a kind, of which a bucket may have several, or one by its id. */
const noneOf = (root: string): BucketHandler => {
  const list = document(root, { IsTruncated: false });
  return (input) => (input.query.has("id") ? noConfiguration(input) : list(input));
};

/** By the subresource of a GET of a bucket. */
export const bucketStubs: Readonly<Record<string, BucketHandler>> = {
  // The region us-east-1 is the empty one.
  location: document("LocationConstraint"),
  versioning: document("VersioningConfiguration"),
  accelerate: document("AccelerateConfiguration"),
  logging: document("BucketLoggingStatus"),
  notification: document("NotificationConfiguration"),
  requestPayment: document("RequestPaymentConfiguration", { Payer: "BucketOwner" }),
  website: notConfigured("NoSuchWebsiteConfiguration", "The bucket is no website."),
  "object-lock": notConfigured(
    "ObjectLockConfigurationNotFoundError",
    "The bucket has no object lock.",
  ),
  replication: notConfigured(
    "ReplicationConfigurationNotFoundError",
    "The bucket is not replicated.",
  ),
  abac: document("AbacStatus", { Status: "Disabled" }),
  analytics: noneOf("ListBucketAnalyticsConfigurationResult"),
  "intelligent-tiering": noneOf("ListBucketIntelligentTieringConfigurationsOutput"),
  inventory: noneOf("ListInventoryConfigurationsResult"),
  metrics: noneOf("ListMetricsConfigurationsResult"),
};

const nothingToRemove: BucketHandler = async (input) => {
  await requireBucket(input);
  return emptyResponse(204);
};

/** By the subresource of a DELETE of a bucket: what was never set is gone already. */
export const bucketRemovals: Readonly<Record<string, BucketHandler>> = Object.fromEntries(
  ["replication", "website"].map((name) => [name, nothingToRemove]),
);

/** By the subresource of a DELETE of a bucket, for what is removed by its id. */
export const configurationRemovals: Readonly<Record<string, BucketHandler>> = Object.fromEntries(
  ["analytics", "intelligent-tiering", "inventory", "metrics"].map((name) => [
    name,
    noConfiguration,
  ]),
);
