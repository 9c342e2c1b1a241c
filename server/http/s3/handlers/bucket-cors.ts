import { z } from "zod";
import type { Authorized } from "../../../domain/callers/authorize.ts";
import { S3Fault } from "../../../domain/faults/s3-fault.ts";
import type { Audited } from "../audited.ts";
import { CORS, type CorsRule, corsRuleElements, parseCorsRules } from "../cors-rules.ts";
import { type BucketInput, bucketKey, requireBucket } from "../s3-input.ts";
import { xmlResponse } from "../s3-response.ts";
import { setBucketSetting } from "../set-bucket-setting.ts";
import { readXml } from "../xml/read-xml.ts";

/** PutBucketCors. */
export async function putBucketCors(input: BucketInput<Authorized<"write">>): Promise<Audited> {
  await requireBucket(input);
  const rules = parseCorsRules(await readXml(input.content().chunks, "CORSConfiguration", CORS));
  return setBucketSetting(input, { name: "cors", value: JSON.stringify(rules) }, 200);
}

/** GetBucketCors. */
export async function getBucketCors(input: BucketInput): Promise<Response> {
  await requireBucket(input);
  const { caller, objects, bucket } = input;
  const rules = readBucketCors((await objects.bucketSettings(caller, bucketKey(bucket))) ?? {});
  if (rules === undefined) {
    throw new S3Fault("NoSuchCORSConfiguration", "The bucket has no CORS rules.", {
      fields: { BucketName: bucket },
    });
  }
  return xmlResponse("CORSConfiguration", { CORSRule: rules.map(corsRuleElements) });
}

/** DeleteBucketCors. */
export const deleteBucketCors = (input: BucketInput<Authorized<"write">>): Promise<Audited> =>
  setBucketSetting(input, { name: "cors", value: null }, 204);

const RULES = z.array(
  z.object({
    id: z.string().exactOptional(),
    origins: z.array(z.string()),
    methods: z.array(z.string()),
    headers: z.array(z.string()),
    exposed: z.array(z.string()),
    maxAge: z.number().exactOptional(),
  }),
);

/** undefined: the bucket has no rules. */
export const readBucketCors = ({
  cors,
}: {
  readonly cors?: string;
}): readonly CorsRule[] | undefined =>
  cors === undefined ? undefined : RULES.parse(JSON.parse(cors));
