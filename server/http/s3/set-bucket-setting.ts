import type { Authorized } from "../../domain/callers/authorize.ts";
import type { ObjectService } from "../../objects/object-service.ts";
import { type Audited, changedBucket } from "./audited.ts";
import { type BucketInput, bucketKey, requireBucket } from "./s3-input.ts";
import { emptyResponse } from "./s3-response.ts";

type BucketSettingChange = Parameters<ObjectService["setBucketSetting"]>[1];

/** Changes a setting of a bucket and responds with this status. S3Fault "NoSuchBucket". */
export async function setBucketSetting(
  input: BucketInput<Authorized<"write">>,
  { name, value }: Omit<BucketSettingChange, "key">,
  status: 200 | 204,
): Promise<Audited> {
  const { id } = await requireBucket(input);
  const { caller, objects, bucket } = input;
  await objects.setBucketSetting(caller, { key: bucketKey(bucket), name, value });
  return changedBucket(input, id, emptyResponse(status));
}
