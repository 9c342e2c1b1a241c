import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import {
  type BucketCannedACL,
  CreateBucketCommand,
  DeleteBucketPolicyCommand,
  DeletePublicAccessBlockCommand,
  GetBucketAclCommand,
  GetBucketPolicyCommand,
  GetBucketPolicyStatusCommand,
  GetObjectCommand,
  GetPublicAccessBlockCommand,
  PutBucketAclCommand,
  PutBucketPolicyCommand,
  PutObjectCommand,
  PutPublicAccessBlockCommand,
  S3Client,
} from "@aws-sdk/client-s3";
import { api } from "../client.ts";
import { freePort } from "../free-port.fixture.ts";
import { createS3Key, startS3Server } from "./s3-server.fixture.ts";

const s3Port = await freePort();
const server = await startS3Server({ S3_PORT: String(s3Port), DEFAULT_VISIBILITY: "private" });
afterAll(() => server.discard());
const endpoint = `http://127.0.0.1:${s3Port}`;
const clientOf = (credentials = server.credentials) =>
  new S3Client({ endpoint, credentials, region: "us-east-1", forcePathStyle: true });
const client = clientOf();
const a = api(server);

let bucketNumber = 0;
async function newBucket(): Promise<string> {
  bucketNumber += 1;
  const Bucket = `bucket-${bucketNumber}`;
  await client.send(new CreateBucketCommand({ Bucket }));
  return Bucket;
}
const put = (Bucket: string, Key: string, more: object = {}) =>
  client.send(new PutObjectCommand({ Bucket, Key, Body: Key, ...more }));
const EVERYONE = { AWS: ["*"] };
const arn = (path: string) => [`arn:aws:s3:::${path}`];
/** As `mc anonymous set download` writes it. */
const download = (bucket: string) => [
  {
    Action: ["s3:GetBucketLocation", "s3:ListBucket"],
    Effect: "Allow",
    Principal: EVERYONE,
    Resource: arn(bucket),
  },
  { Action: ["s3:GetObject"], Effect: "Allow", Principal: EVERYONE, Resource: arn(`${bucket}/*`) },
];
/** As the examples of Terraform have it. */
const readOnly = (path: string) => ({
  Sid: "PublicReadGetObject",
  Effect: "Allow",
  Principal: "*",
  Action: "s3:GetObject",
  Resource: `arn:aws:s3:::${path}/*`,
});
const setPolicy = (Bucket: string, statement: unknown, by = client) =>
  by.send(
    new PutBucketPolicyCommand({
      Bucket,
      Policy: JSON.stringify({ Version: "2012-10-17", Statement: statement }),
    }),
  );
const removePolicy = (Bucket: string) => client.send(new DeleteBucketPolicyCommand({ Bucket }));
const getPolicy = async (Bucket: string) =>
  JSON.parse((await client.send(new GetBucketPolicyCommand({ Bucket }))).Policy ?? "");
const failure = (work: Promise<unknown>) =>
  work.then(
    () => "no failure",
    (error) => [error.$metadata?.httpStatusCode, error.name],
  );
const unsigned = async (path: string, method = "GET") => {
  const response = await fetch(`${endpoint}/${path}`, { method });
  return { status: response.status, text: await response.text() };
};
const statuses = (...paths: string[]) =>
  Promise.all(paths.map(async (path) => (await unsigned(path)).status));
const listed = async (path: string) =>
  [...(await unsigned(path)).text.matchAll(/<(?:Key|Prefix)>([^<]+)</g)].map(([, key]) => key);

test("caches keep a public object no longer than until it ends", async () => {
  const bucket = await newBucket();
  await put(bucket, "f", { ACL: "public-read", CacheControl: "public, max-age=31536000" });
  await a.json("PUT", "/api/files", { key: `${bucket}/f`, expiresIn: 60 });
  const path = `${endpoint}/${bucket}/f`;
  const first = await fetch(path);
  const etag = first.headers.get("etag") ?? "";
  const again = await fetch(path, { headers: { "If-None-Match": etag } });
  const signed = await client.send(new GetObjectCommand({ Bucket: bucket, Key: "f" }));
  expect([first.status, again.status]).toEqual([200, 304]);
  for (const caching of [
    first.headers.get("cache-control"),
    again.headers.get("cache-control"),
    signed.CacheControl,
  ]) {
    expect(caching).toMatch(/^public, max-age=(?:[345]\d|60)$/);
  }
});

describe("a policy that lets everyone read", () => {
  test("opens the objects of a bucket and new ones, and lists them only if it says so", async () => {
    const bucket = await newBucket();
    await put(bucket, "before.txt");
    await setPolicy(bucket, [readOnly(bucket)]);
    await put(bucket, "after/new.txt");
    expect(await statuses(`${bucket}/before.txt`, `${bucket}/after/new.txt`)).toEqual([200, 200]);
    expect(await statuses(bucket, `${bucket}?location`, `${bucket}?list-type=2`)).toEqual([
      ...[403, 403, 403],
    ]);
    expect((await unsigned(bucket, "HEAD")).status).toBe(403);
    expect((await getPolicy(bucket)).Statement).toEqual([readOnly(bucket)]);
    const status = await client.send(new GetBucketPolicyStatusCommand({ Bucket: bucket }));
    expect(status.PolicyStatus?.IsPublic).toBe(true);
    await setPolicy(bucket, download(bucket));
    expect(await listed(`${bucket}?list-type=2`)).toEqual(["after/new.txt", "before.txt"]);
    expect((await unsigned(bucket, "HEAD")).status).toBe(200);
    expect((await unsigned(`${bucket}?location`)).status).toBe(200);
    await setPolicy(bucket, readOnly(bucket));
    expect((await unsigned(bucket)).status).toBe(403);
  });

  test("opens one folder", async () => {
    const bucket = await newBucket();
    for (const key of ["open/a.txt", "open/in/b.txt", "opener/c.txt", "d.txt"]) {
      await put(bucket, key);
    }
    await setPolicy(bucket, readOnly(`${bucket}/open`));
    const all = ["open/a.txt", "open/in/b.txt", "opener/c.txt", "d.txt"];
    expect(await statuses(...all.map((key) => `${bucket}/${key}`))).toEqual([200, 200, 403, 403]);
    await setPolicy(bucket, readOnly(`${bucket}/opener`));
    expect(await statuses(...all.map((key) => `${bucket}/${key}`))).toEqual([403, 403, 200, 403]);
    expect(await failure(setPolicy(bucket, readOnly(`${bucket}/none`)))).toEqual([
      400,
      "InvalidRequest",
    ]);
    expect(await statuses(...all.map((key) => `${bucket}/${key}`))).toEqual([403, 403, 200, 403]);
  });

  test("when it goes, closes what it has opened and nothing that was public before", async () => {
    const bucket = await newBucket();
    await put(bucket, "private.txt");
    await put(bucket, "public.txt", { ACL: "public-read" });
    await setPolicy(bucket, readOnly(bucket));
    await setPolicy(bucket, download(bucket));
    await put(bucket, "new.txt");
    await removePolicy(bucket);
    const paths = ["private.txt", "public.txt", "new.txt"].map((key) => `${bucket}/${key}`);
    expect(await statuses(...paths)).toEqual([403, 200, 403]);
    await put(bucket, "later.txt");
    expect(await statuses(`${bucket}/later.txt`, bucket)).toEqual([403, 403]);
    expect(await failure(getPolicy(bucket))).toEqual([404, "NoSuchBucketPolicy"]);
    await removePolicy(bucket);
    expect(await statuses(...paths)).toEqual([403, 200, 403]);
  });

  test("is missing as soon as a file in it is private, or new ones would be", async () => {
    const bucket = await newBucket();
    const { id } = await a.put(`${bucket}/a.txt`, "a");
    await setPolicy(bucket, download(bucket));
    await a.json("PUT", "/api/files", { id, visibility: "private" });
    expect(await failure(getPolicy(bucket))).toEqual([404, "NoSuchBucketPolicy"]);
    expect(await listed(bucket)).toEqual([]);
    await setPolicy(bucket, download(bucket));
    expect((await getPolicy(bucket)).Statement).toHaveLength(2);
    const folder = await a.folder(`${bucket}/in`);
    await a.json("PUT", "/api/folders", { id: folder.id, defaultVisibility: "private" });
    expect(await failure(getPolicy(bucket))).toEqual([404, "NoSuchBucketPolicy"]);
    expect(await failure(setPolicy(bucket, download(bucket)))).toEqual([403, "AccessDenied"]);
  });

  test("ends when the bucket is renamed, and can still be removed", async () => {
    const bucket = "before";
    const { id } = await a.folder(bucket);
    await put(bucket, "a.txt");
    await setPolicy(bucket, download(bucket));
    await a.json("PUT", "/api/folders", { id, name: `${bucket}-renamed` });
    expect(await failure(getPolicy(`${bucket}-renamed`))).toEqual([404, "NoSuchBucketPolicy"]);
    expect((await unsigned(`${bucket}-renamed`)).status).toBe(403);
    await removePolicy(`${bucket}-renamed`);
    expect((await unsigned(`${bucket}-renamed/a.txt`)).status).toBe(403);
  });

  test("needs the action write on the whole bucket", async () => {
    const bucket = await newBucket();
    await put(bucket, "in/a.txt");
    const reader = clientOf(await createS3Key(server, { folder: bucket, actions: ["read"] }));
    const inside = clientOf(await createS3Key(server, { folder: `${bucket}/in` }));
    const other = clientOf(await createS3Key(server, { folder: "elsewhere" }));
    const set = (by: S3Client) => failure(setPolicy(bucket, readOnly(`${bucket}/in`), by));
    expect(await set(reader)).toEqual([403, "AccessDenied"]);
    expect(await set(inside)).toEqual([403, "AccessDenied"]);
    expect(await set(other)).toEqual([404, "NoSuchBucket"]);
    expect(await statuses(bucket, `${bucket}/in/a.txt`)).toEqual([403, 403]);
  });
});

describe("a policy that means more is refused and changes nothing", () => {
  const bucket = "refused";
  beforeAll(async () => {
    await client.send(new CreateBucketCommand({ Bucket: bucket }));
    await put(bucket, "folder/a.txt");
  });
  const more = (fields: object) => [{ ...readOnly(bucket), ...fields }];
  const refusals: [code: string, statement: unknown][] = [
    ["NotImplemented", more({ Effect: "Deny" })],
    ["NotImplemented", more({ Condition: { IpAddress: { "aws:SourceIp": "127.0.0.1" } } })],
    ["NotImplemented", more({ Condition: {} })],
    ["NotImplemented", more({ NotPrincipal: "*" })],
    ["NotImplemented", more({ Principal: { AWS: "arn:aws:iam::1:root" } })],
    ["NotImplemented", more({ Principal: { AWS: ["*", "arn:aws:iam::1:root"] } })],
    ["NotImplemented", more({ Principal: { Service: "cloudfront.amazonaws.com" } })],
    ["NotImplemented", more({ Action: ["s3:GetObject", "s3:PutObject"] })],
    ["NotImplemented", more({ Action: "s3:*" })],
    ["NotImplemented", more({ Resource: arn(`${bucket}/*.txt`) })],
    ["NotImplemented", more({ Resource: arn(`${bucket}/fold*`) })],
    ["NotImplemented", more({ Resource: arn(`${bucket}/folder/a.txt`) })],
    ["NotImplemented", more({ Resource: arn(`${bucket}/${"$"}{aws:username}/*`) })],
    ["NotImplemented", more({ Resource: [...arn(`${bucket}/a/*`), ...arn(`${bucket}/b/*`)] })],
    ["NotImplemented", [readOnly(bucket), { ...readOnly(bucket), Effect: "Deny" }]],
    ["MalformedPolicy", more({ Resource: arn("tagged/*") })],
    ["MalformedPolicy", more({ Resource: arn(`${bucket}2/*`) })],
    ["MalformedPolicy", more({ Resource: ["*"] })],
    ["MalformedPolicy", more({ Resource: arn(bucket) })],
    ["MalformedPolicy", more({ Action: "s3:ListBucket" })],
    ["MalformedPolicy", more({ Resource: arn(`${bucket}/../*`) })],
    ["MalformedPolicy", more({ Resource: arn(`${bucket}/folder//x/*`) })],
    ["MalformedPolicy", more({ effect: "Deny" })],
    ["MalformedPolicy", more({ Effect: undefined })],
    ["MalformedPolicy", more({ Principal: undefined })],
    ["MalformedPolicy", more({ Action: [] })],
    ["MalformedPolicy", more({ Action: [["s3:GetObject"]] })],
    ["MalformedPolicy", []],
    ["MalformedPolicy", undefined],
    ["MalformedPolicy", "s3:GetObject"],
    ["MalformedPolicy", Array(21).fill(readOnly(bucket))],
  ];
  test.each(refusals)("%s %j", async (code, statement) => {
    expect(await failure(setPolicy(bucket, statement))).toEqual([
      code === "NotImplemented" ? 501 : 400,
      code,
    ]);
    expect(await failure(getPolicy(bucket))).toEqual([404, "NoSuchBucketPolicy"]);
    expect(await statuses(bucket, `${bucket}/folder/a.txt`)).toEqual([403, 403]);
  });

  test.each(["", "[]", "null", "{", "{}", `{"Statement":${"[".repeat(5000)}`, " ".repeat(30_000)])(
    "the document %p",
    async (Policy) => {
      const set = client.send(new PutBucketPolicyCommand({ Bucket: bucket, Policy }));
      expect(await failure(set)).toEqual([400, "MalformedPolicy"]);
      expect(await statuses(bucket, `${bucket}/folder/a.txt`)).toEqual([403, 403]);
    },
  );
});

describe("a list without a signature", () => {
  const bucket = "listed";
  beforeAll(async () => {
    await client.send(new CreateBucketCommand({ Bucket: bucket, ACL: "public-read" }));
    for (const key of ["a/open.txt", "b/in/open.txt", "m.txt", "z.txt"]) {
      await put(bucket, key, { ACL: "public-read" });
    }
    for (const key of ["a/secret.txt", "hidden/secret.txt", "b/secret/s.txt", "secret.txt"]) {
      await put(bucket, key);
    }
    await put(bucket, "secret-folder/", { Body: "" });
  });

  test("has public objects and their prefixes only", async () => {
    const all = ["a/open.txt", "b/in/open.txt", "m.txt", "z.txt"];
    expect(await listed(bucket)).toEqual(all);
    expect(await listed(`${bucket}?list-type=2&fetch-owner=true`)).toEqual(all);
    expect(await listed(`${bucket}?delimiter=/`)).toEqual(["m.txt", "z.txt", "a/", "b/"]);
    expect(await listed(`${bucket}?delimiter=/&prefix=b/`)).toEqual(["b/", "b/in/"]);
    expect((await listed(`${bucket}?delimiter=t`)).join()).not.toContain("sec");
    for (const path of ["?prefix=hidden/", "?prefix=secret", "?prefix=hidden&delimiter=/"]) {
      const { text } = await unsigned(`${bucket}${path}`);
      expect(text).not.toMatch(/<Contents>|<CommonPrefixes>/);
    }
  });

  test("goes on in pages that name no private key", async () => {
    const found: (string | undefined)[] = [];
    let token: string | undefined = "";
    for (let page = 0; token !== undefined && page < 9; page += 1) {
      const more = token === "" ? "" : `&continuation-token=${token}`;
      const { text } = await unsigned(`${bucket}?list-type=2&max-keys=1${more}`);
      found.push(/<Key>([^<]+)/.exec(text)?.[1]);
      token = /<NextContinuationToken>([^<]+)/.exec(text)?.[1];
      expect(Buffer.from(token ?? "", "base64url").toString()).not.toContain("secret");
    }
    expect(found).toEqual(["a/open.txt", "b/in/open.txt", "m.txt", "z.txt"]);
  });

  test("is all that is open: objects stay as they are, and no other operation answers", async () => {
    expect(await statuses(`${bucket}/secret.txt`, `${bucket}/a/secret.txt`)).toEqual([403, 403]);
    for (const name of ["versions", "uploads", "acl", "policy", "cors", "tagging", "location"]) {
      expect((await unsigned(`${bucket}?${name}`)).status).toBe(403);
      expect((await unsigned(`${bucket}?list-type=2&${name}`)).status).toBe(403);
    }
    for (const method of ["PUT", "DELETE", "POST"]) {
      expect((await unsigned(bucket, method)).status).toBe(403);
      expect((await unsigned(`${bucket}/new.txt`, method)).status).toBe(403);
    }
    expect((await unsigned(`${bucket}?delete`, "POST")).status).toBe(403);
    expect(await statuses("", "missing-bucket", "..", "listed%2f..")).toEqual([403, 403, 403, 403]);
    const hosted = await fetch(`${server.url}/${bucket}?list-type=2`);
    expect(await hosted.text()).not.toContain("open.txt");
  });

  test("ends with the ACL private", async () => {
    const acl = async () =>
      (await client.send(new GetBucketAclCommand({ Bucket: bucket }))).Grants?.length;
    const setAcl = (ACL: string) =>
      client.send(new PutBucketAclCommand({ Bucket: bucket, ACL: ACL as BucketCannedACL }));
    expect(await acl()).toBe(2);
    for (const other of ["public-read-write", "authenticated-read", "log-delivery-write"]) {
      expect(await failure(setAcl(other))).toEqual([501, "NotImplemented"]);
    }
    await setAcl("private");
    expect([await acl(), (await unsigned(bucket)).status]).toEqual([1, 403]);
    await setAcl("public-read");
    expect([await acl(), (await unsigned(bucket)).status]).toEqual([2, 200]);
  });
});

test("a public access block can only say that nothing is blocked", async () => {
  const bucket = await newBucket();
  const get = () => client.send(new GetPublicAccessBlockCommand({ Bucket: bucket }));
  const set = (BlockPublicAcls: boolean) =>
    client.send(
      new PutPublicAccessBlockCommand({
        Bucket: bucket,
        PublicAccessBlockConfiguration: { BlockPublicAcls, BlockPublicPolicy: false },
      }),
    );
  expect(await failure(set(true))).toEqual([501, "NotImplemented"]);
  expect(await failure(get())).toEqual([404, "NoSuchPublicAccessBlockConfiguration"]);
  await set(false);
  expect((await get()).PublicAccessBlockConfiguration).toEqual({
    BlockPublicAcls: false,
    IgnorePublicAcls: false,
    BlockPublicPolicy: false,
    RestrictPublicBuckets: false,
  });
  await client.send(new DeletePublicAccessBlockCommand({ Bucket: bucket }));
  expect(await failure(get())).toEqual([404, "NoSuchPublicAccessBlockConfiguration"]);
});
