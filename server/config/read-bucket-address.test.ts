import { expect, test } from "bun:test";
import { ConfigError } from "./config.ts";
import { readBucketAddress } from "./read-bucket-address.ts";

const ENV = { AWS_ACCESS_KEY_ID: "id", AWS_SECRET_ACCESS_KEY: "secret" };
const OPTIONS = { bucket: "photos", endpoint: undefined, region: undefined, kind: "s3" } as const;
const ENDPOINT = "http://minio:9000";

test("options win over variables, and the special endpoint over the general one", () => {
  const env = {
    ...ENV,
    AWS_ENDPOINT_URL: "http://general",
    AWS_ENDPOINT_URL_S3: "http://special/",
    AWS_DEFAULT_REGION: "eu-west-1",
    AWS_SESSION_TOKEN: "token",
  };
  expect(readBucketAddress(env, OPTIONS)).toEqual({
    bucket: "photos",
    kind: "s3",
    endpoint: "http://special",
    region: "eu-west-1",
    accessKeyId: "id",
    secretAccessKey: "secret",
    sessionToken: "token",
  });
  const given = readBucketAddress(env, { ...OPTIONS, endpoint: ENDPOINT, region: "here" });
  expect([given.endpoint, given.region]).toEqual([ENDPOINT, "here"]);
});

test("an endpoint may have a path", () => {
  const endpoint = "https://project.supabase.co/storage/v1/s3";
  expect(readBucketAddress(ENV, { ...OPTIONS, endpoint }).endpoint).toBe(endpoint);
});

test.each([
  [ENV, undefined, "--endpoint"],
  [ENV, "minio:9000", "http or https"],
  [ENV, "ftp://minio", "http or https"],
  [ENV, "http://user:secret@minio", "http or https"],
  [{}, ENDPOINT, "AWS_ACCESS_KEY_ID"],
  [{ AWS_ACCESS_KEY_ID: "id" }, ENDPOINT, "AWS_SECRET_ACCESS_KEY"],
  [{ ...ENV, AWS_SECRET_ACCESS_KEY: " " }, ENDPOINT, "AWS_SECRET_ACCESS_KEY"],
])("%p with the endpoint %p is refused", (env, endpoint, reason) => {
  const read = () => readBucketAddress(env, { ...OPTIONS, endpoint });
  expect(read).toThrow(ConfigError);
  expect(read).toThrow(reason);
});
