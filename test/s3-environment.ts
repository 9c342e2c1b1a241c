import { createS3Client } from "../server/blobs/s3/s3-client.ts";
import type { S3Settings } from "../server/blobs/s3/s3-settings.ts";
import { readList, textIn } from "../server/blobs/s3/xml.ts";
import { childrenOf } from "../server/runtime/xml.ts";

/** The environment of a server that stores its blobs in this bucket. */
export const s3Environment = (s3: S3Settings) => ({
  BLOBS: "s3",
  S3_ENDPOINT: s3.endpoint,
  S3_BUCKET: s3.bucket,
  S3_REGION: s3.region,
  S3_ACCESS_KEY_ID: s3.accessKeyId,
  S3_SECRET_ACCESS_KEY: s3.secretAccessKey,
  S3_TIMEOUT: "10s",
});

/** The bucket of such an environment. */
export const s3SettingsOf = (env: Readonly<Record<string, string | undefined>>): S3Settings => ({
  endpoint: env.S3_ENDPOINT ?? "",
  bucket: env.S3_BUCKET ?? "",
  region: env.S3_REGION ?? "",
  accessKeyId: env.S3_ACCESS_KEY_ID ?? "",
  secretAccessKey: env.S3_SECRET_ACCESS_KEY ?? "",
  forcePathStyle: true,
  timeout: 10_000,
});

/** All keys in the bucket. */
export async function keysIn(settings: S3Settings): Promise<string[]> {
  const client = createS3Client(settings);
  const keys: string[] = [];
  for (let token = ""; ; ) {
    const more = token === "" ? {} : { "continuation-token": token };
    const { text } = await client.send({ method: "GET", query: { "list-type": "2", ...more } });
    const list = readList(text, "The keys");
    keys.push(...childrenOf(list, "Contents").map((entry) => textIn(entry, "Key")));
    token = textIn(list, "NextContinuationToken");
    if (token === "") return keys;
  }
}

/** The ids of multipart uploads that were neither completed nor aborted. */
export async function multipartUploadsIn(settings: S3Settings): Promise<string[]> {
  const { text } = await createS3Client(settings).send({ method: "GET", query: { uploads: "" } });
  return childrenOf(readList(text, "The uploads"), "Upload").map((entry) =>
    textIn(entry, "UploadId"),
  );
}
