import { afterAll, expect, test } from "bun:test";
import {
  CreateBucketCommand,
  type CreateBucketCommandInput,
  DeleteBucketLifecycleCommand,
  GetBucketLifecycleConfigurationCommand,
  GetBucketTaggingCommand,
  GetBucketVersioningCommand,
  HeadBucketCommand,
  PutBucketLifecycleConfigurationCommand,
  PutBucketVersioningCommand,
  S3Client,
} from "@aws-sdk/client-s3";
import { startS3Server } from "./s3-server.fixture.ts";

const server = await startS3Server();
afterAll(() => server.discard());
const client = new S3Client({
  endpoint: server.url,
  credentials: server.credentials,
  region: "us-east-1",
  forcePathStyle: true,
});
const Bucket = "tools";
const failure = (work: Promise<unknown>) =>
  work.then(
    () => ["no failure"],
    (error) => [error.$metadata?.httpStatusCode, error.name, error.message],
  );

test("a bucket is created with what tools send by default", async () => {
  await client.send(
    new CreateBucketCommand({
      Bucket,
      ACL: "private",
      ObjectOwnership: "BucketOwnerEnforced",
      ObjectLockEnabledForBucket: false,
      CreateBucketConfiguration: { LocationConstraint: "eu-central-1" },
    }),
  );
  expect((await client.send(new HeadBucketCommand({ Bucket }))).$metadata.httpStatusCode).toBe(200);
  const locked = { Bucket: "locked", ObjectLockEnabledForBucket: true };
  expect(await failure(client.send(new CreateBucketCommand(locked)))).toContain("NotImplemented");
  expect(await failure(client.send(new HeadBucketCommand({ Bucket: "locked" })))).toContain(404);
});

test("a bucket is created with tags, as Terraform does", async () => {
  const Tags = [{ Key: "team", Value: "web" }];
  const create = (
    CreateBucketConfiguration: CreateBucketCommandInput["CreateBucketConfiguration"],
  ) => client.send(new CreateBucketCommand({ Bucket: "tagged", CreateBucketConfiguration }));
  expect(await failure(create({ Tags: [...Tags, ...Tags] }))).toContain("InvalidTag");
  expect(await failure(create({ Bucket: { Type: "Directory" } }))).toContain("NotImplemented");
  expect(await failure(client.send(new HeadBucketCommand({ Bucket: "tagged" })))).toContain(404);
  await create({ LocationConstraint: "eu-central-1", Tags });
  const { TagSet } = await client.send(new GetBucketTaggingCommand({ Bucket: "tagged" }));
  expect(TagSet).toEqual(Tags);
});

test("versioning can be suspended, and enabling it says which setting keeps versions", async () => {
  const set = (Status: "Enabled" | "Suspended") =>
    client.send(new PutBucketVersioningCommand({ Bucket, VersioningConfiguration: { Status } }));
  await set("Suspended");
  const [status, code, message] = await failure(set("Enabled"));
  expect([status, code]).toEqual([501, "NotImplemented"]);
  expect(message).toContain("keepVersions");
  expect(await failure(set("On" as "Enabled"))).toContain("MalformedXML");
  expect((await client.send(new GetBucketVersioningCommand({ Bucket }))).Status).toBeUndefined();
});

test("there are no lifecycle rules, and none is stored without effect", async () => {
  const get = () => client.send(new GetBucketLifecycleConfigurationCommand({ Bucket }));
  const Rules = [
    { ID: "a", Status: "Enabled" as const, Filter: { Prefix: "logs" }, Expiration: { Days: 1 } },
  ];
  const put = new PutBucketLifecycleConfigurationCommand({
    Bucket,
    LifecycleConfiguration: { Rules },
  });
  expect(await failure(client.send(put))).toContain("NotImplemented");
  expect(await failure(get())).toContain("NoSuchLifecycleConfiguration");
  await client.send(new DeleteBucketLifecycleCommand({ Bucket }));
});
