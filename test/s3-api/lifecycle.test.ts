import { afterAll, expect, test } from "bun:test";
import {
  type BucketLifecycleConfiguration,
  CreateBucketCommand,
  CreateMultipartUploadCommand,
  DeleteBucketCommand,
  DeleteBucketLifecycleCommand,
  DeleteObjectCommand,
  GetBucketLifecycleConfigurationCommand,
  HeadObjectCommand,
  type LifecycleRule,
  ListObjectsV2Command,
  PutBucketLifecycleConfigurationCommand,
  PutObjectCommand,
  S3Client,
} from "@aws-sdk/client-s3";
import { api } from "../client.ts";
import { startS3Server } from "./s3-server.fixture.ts";

const server = await startS3Server();
afterAll(() => server.discard());
const client = new S3Client({
  endpoint: server.url,
  credentials: server.credentials,
  region: "us-east-1",
  forcePathStyle: true,
});
const DAY = 86_400_000;
let buckets = 0;

async function newBucket() {
  buckets += 1;
  const Bucket = `life-${buckets}`;
  await client.send(new CreateBucketCommand({ Bucket }));
  const set = (Rules: LifecycleRule[]) =>
    client.send(
      new PutBucketLifecycleConfigurationCommand({ Bucket, LifecycleConfiguration: { Rules } }),
    );
  return {
    Bucket,
    set,
    get: () => client.send(new GetBucketLifecycleConfigurationCommand({ Bucket })),
    put: (Key: string) =>
      client.send(new PutObjectCommand({ Bucket, Key, Body: Key.endsWith("/") ? "" : "1" })),
    expiration: async (Key: string) =>
      (await client.send(new HeadObjectCommand({ Bucket, Key }))).Expiration,
  };
}
const failure = (work: Promise<unknown>) =>
  work.then(
    () => "no failure",
    (error) => `${error.$metadata?.httpStatusCode} ${error.name}`,
  );
const daysOf = (expiration: string | undefined): number => {
  const [, date = ""] = /expiry-date="([^"]*)"/.exec(expiration ?? "") ?? [];
  return Math.round((Date.parse(date) - Date.now()) / DAY);
};

test("rules end the objects of their folders, those that are there already too", async () => {
  const { Bucket, set, get, put, expiration } = await newBucket();
  await put("logs/old");
  await put("other/old");
  const rule = { ID: "logs are short", Status: "Enabled", Filter: { Prefix: "logs/" } } as const;
  const nested = { ID: "deep", Status: "Enabled", Prefix: "logs/deep/" } as const;
  const off = { ID: "off", Status: "Disabled", Filter: { Prefix: "other/" } } as const;
  const rules = [
    { ...rule, Expiration: { Days: 3 } },
    { ...nested, Expiration: { Days: 30 } },
    { ...off, Expiration: { Days: 1 } },
  ];
  await set(rules);
  expect((await get()).Rules).toEqual(rules as BucketLifecycleConfiguration["Rules"]);
  expect((await put("logs/new")).Expiration).toContain('rule-id="logs%20are%20short"');
  for (const key of ["logs/old", "logs/new"]) expect(daysOf(await expiration(key))).toBe(3);
  await put("logs/deep/new");
  expect(daysOf(await expiration("logs/deep/new"))).toBe(3);
  expect(await expiration("other/old")).toBeUndefined();

  await set([{ ...rule, Expiration: { Days: 40 } }]);
  expect(daysOf(await expiration("logs/old"))).toBe(40);
  await client.send(new DeleteBucketLifecycleCommand({ Bucket }));
  expect(await failure(get())).toBe("404 NoSuchLifecycleConfiguration");
  expect(await expiration("logs/old")).toBeUndefined();
  await put("logs/newest");
  expect(await expiration("logs/newest")).toBeUndefined();
});

test("a rule without a prefix ends the objects of the whole bucket", async () => {
  const { Bucket, set, get, put, expiration } = await newBucket();
  const neighbour = await newBucket();
  await neighbour.put("f");
  await put("old");
  await put("a/b/old");
  const whole = { ID: "whole", Status: "Enabled", Filter: { Prefix: "" } } as const;
  const short = { ID: "short", Status: "Enabled", Filter: { Prefix: "a/" } } as const;
  const rules = [
    { ...whole, Expiration: { Days: 9 } },
    { ...short, Expiration: { Days: 2 } },
  ];
  await set(rules);
  expect((await get()).Rules).toEqual(rules as BucketLifecycleConfiguration["Rules"]);
  expect((await put("new")).Expiration).toContain('rule-id="whole"');
  for (const key of ["old", "new"]) expect([key, daysOf(await expiration(key))]).toEqual([key, 9]);
  expect(daysOf(await expiration("a/b/old"))).toBe(2);
  expect(await neighbour.expiration("f")).toBeUndefined();

  await client.send(new DeleteBucketLifecycleCommand({ Bucket }));
  await put("newest");
  for (const key of ["old", "a/b/old", "newest"]) expect(await expiration(key)).toBeUndefined();
});

test("the folders of rules do not keep a bucket from being removed, other objects do", async () => {
  const { Bucket, set, put } = await newBucket();
  await put("a/logs/f");
  const rule = { ID: "a", Status: "Enabled", Filter: { Prefix: "a/logs/" } } as const;
  await set([{ ...rule, Expiration: { Days: 3 } }]);
  const remove = () => failure(client.send(new DeleteBucketCommand({ Bucket })));
  const removeObject = (Key: string) => client.send(new DeleteObjectCommand({ Bucket, Key }));
  expect(await remove()).toBe("409 BucketNotEmpty");
  await removeObject("a/logs/f");
  await put("folder/");
  expect(await remove()).toBe("409 BucketNotEmpty");
  await removeObject("folder/");
  expect(await remove()).toBe("no failure");
});

test("an object that is older than its rule allows is gone at once, and in the trash soon", async () => {
  const { Bucket, put, set } = await newBucket();
  await put("tmp/f");
  const a = api(server);
  const { text } = await a.get(`/api/files?key=${Bucket}/tmp/f`);
  expect(JSON.parse(text).data.file.id).toBeString();
  await a.json("PUT", "/api/files", { key: `${Bucket}/tmp/f`, expiresIn: 1 });
  await Bun.sleep(1050);
  await set([{ ID: "a", Status: "Enabled", Filter: { Prefix: "tmp/" }, Expiration: { Days: 1 } }]);
  const { Contents = [] } = await client.send(new ListObjectsV2Command({ Bucket }));
  // The folder of a rule is an object, as it stays without content.
  expect(Contents.map(({ Key }) => Key)).toEqual(["tmp/"]);
});

test("rules abort unfinished multipart uploads", async () => {
  const { Bucket, set, get } = await newBucket();
  const rule = {
    ID: "abort",
    Status: "Enabled",
    Filter: { Prefix: "" },
    AbortIncompleteMultipartUpload: { DaysAfterInitiation: 1 },
  } as const;
  await set([rule]);
  expect((await get()).Rules).toEqual([rule]);
  const upload = await client.send(new CreateMultipartUploadCommand({ Bucket, Key: "a" }));
  expect(upload.UploadId).toBeString();
});

test("what the server does not do is refused, and leaves the rules as they were", async () => {
  const { set, get, put } = await newBucket();
  await put("file");
  const rule = (wanted: Partial<LifecycleRule>): LifecycleRule => ({
    ...{ ID: "a", Status: "Enabled", Filter: { Prefix: "logs/" }, Expiration: { Days: 1 } },
    ...wanted,
  });
  const refused: [LifecycleRule[], string][] = [
    [[rule({ Filter: { Prefix: "logs" } })], "501 NotImplemented"],
    [[rule({ Filter: { Prefix: "/" } })], "400 InvalidArgument"],
    [[rule({ Filter: { Tag: { Key: "a", Value: "b" } } })], "501 NotImplemented"],
    [[rule({ Filter: { ObjectSizeGreaterThan: 5 } })], "501 NotImplemented"],
    [[rule({ Expiration: { Date: new Date("2030-01-01") } })], "501 NotImplemented"],
    [[rule({ Expiration: { Date: new Date("2030-01-01T01:00Z") } })], "400 InvalidArgument"],
    [[rule({ Expiration: { ExpiredObjectDeleteMarker: true } })], "501 NotImplemented"],
    [[rule({ Transitions: [{ Days: 1, StorageClass: "GLACIER" }] })], "501 NotImplemented"],
    [[rule({ NoncurrentVersionExpiration: { NoncurrentDays: 1 } })], "501 NotImplemented"],
    [[rule({ Expiration: { Days: 0 } })], "400 InvalidArgument"],
    [[rule({ Expiration: { Days: 99_999_999 } })], "400 InvalidArgument"],
    // The largest that S3 takes.
    [[rule({ Expiration: { Days: 2_147_483_647 } })], "400 InvalidArgument"],
    [[rule({}), rule({ Filter: { Prefix: "b/" } })], "400 InvalidArgument"],
    [[rule({ ID: "a".repeat(256) })], "400 InvalidArgument"],
    [[rule({ Status: "On" as "Enabled" })], "400 MalformedXML"],
    [[rule({ Filter: { Prefix: "../" } })], "400 InvalidArgument"],
    [[rule({ Filter: { Prefix: "file/" } })], "409 ObjectParentIsFile"],
  ];
  for (const [rules, expected] of refused) {
    expect([rules, await failure(set(rules))]).toEqual([rules, expected]);
  }
  expect(await failure(get())).toBe("404 NoSuchLifecycleConfiguration");
});

const cli = Bun.which("aws");
test.if(cli !== null)("aws-cli sets, shows and deletes rules", async () => {
  const { Bucket } = await newBucket();
  const aws = async (...args: string[]) => {
    const run = Bun.spawn(
      [cli ?? "aws", "--endpoint-url", server.url, "s3api", ...args, "--bucket", Bucket],
      {
        env: {
          ...process.env,
          AWS_ACCESS_KEY_ID: server.credentials.accessKeyId,
          AWS_SECRET_ACCESS_KEY: server.credentials.secretAccessKey,
          AWS_DEFAULT_REGION: "us-east-1",
          AWS_EC2_METADATA_DISABLED: "true",
        },
        stdout: "pipe",
        stderr: "pipe",
      },
    );
    const text = await new Response(run.stdout).text();
    const error = await new Response(run.stderr).text();
    expect([await run.exited, error]).toEqual([0, ""]);
    return text;
  };
  const rules = {
    Rules: [{ ID: "a", Filter: { Prefix: "logs/" }, Status: "Enabled", Expiration: { Days: 7 } }],
  };
  const configuration = ["--lifecycle-configuration", JSON.stringify(rules)];
  await aws("put-bucket-lifecycle-configuration", ...configuration);
  const shown = JSON.parse(await aws("get-bucket-lifecycle-configuration"));
  expect(shown.Rules).toEqual(rules.Rules);
  await aws("delete-bucket-lifecycle");
});
