import { afterAll, describe, expect, test } from "bun:test";
import {
  CompleteMultipartUploadCommand,
  CreateBucketCommand,
  CreateMultipartUploadCommand,
  DeleteBucketCommand,
  DeleteObjectCommand,
  GetBucketPolicyCommand,
  GetBucketVersioningCommand,
  GetObjectAclCommand,
  GetObjectCommand,
  HeadBucketCommand,
  HeadObjectCommand,
  ListBucketsCommand,
  ListObjectsV2Command,
  ListPartsCommand,
  PutObjectAclCommand,
  PutObjectCommand,
  S3Client,
  UploadPartCommand,
} from "@aws-sdk/client-s3";
import { z } from "zod";
import { api, send, unique } from "../client.ts";
import { eventually, expectData } from "../expectations.ts";
import { createS3Key, type S3Credentials, startS3Server } from "./s3-server.fixture.ts";

const server = await startS3Server();
const clients: S3Client[] = [];
function clientWith(credentials: S3Credentials, endpoint = server.url): S3Client {
  const client = new S3Client({
    endpoint,
    credentials,
    region: "us-east-1",
    forcePathStyle: true,
    maxAttempts: 1,
  });
  clients.push(client);
  return client;
}
const client = clientWith(server.credentials);
const a = api(server);
afterAll(async () => {
  for (const each of clients) each.destroy();
  await server.discard();
});

async function newBucket(): Promise<string> {
  const Bucket = unique("bucket");
  await client.send(new CreateBucketCommand({ Bucket }));
  return Bucket;
}

const put = (Bucket: string, Key: string, Body = "content") =>
  client.send(new PutObjectCommand({ Bucket, Key, Body }));
const get = async (Bucket: string, Key: string) => {
  const { Body } = await client.send(new GetObjectCommand({ Bucket, Key }));
  return Body?.transformToString();
};

describe("objects and files", () => {
  test("are the same", async () => {
    const Bucket = await newBucket();
    await put(Bucket, "a/b.txt", "by S3");
    const key = `${Bucket}/a/b.txt`;
    expect((await send(server, "GET", `/api/hosting/${key}`)).status).toBe(404);
    const hosted = await send(server, "GET", `/api/hosting/${key}`, { "API-Key": server.apiKey });
    expect(hosted.text).toBe("by S3");
    await client.send(new PutObjectAclCommand({ Bucket, Key: "a/b.txt", ACL: "public-read" }));
    expect((await send(server, "GET", `/api/hosting/${key}`)).text).toBe("by S3");
    const { Grants } = await client.send(new GetObjectAclCommand({ Bucket, Key: "a/b.txt" }));
    expect(Grants?.map(({ Permission }) => Permission)).toEqual(["FULL_CONTROL", "READ"]);
  });

  test("have names that are paths of the site", async () => {
    for (const Bucket of ["api", "files", "docs", "setup", "app"]) {
      await client.send(new CreateBucketCommand({ Bucket }));
      for (const Key of ["hosting/a", "files", "health"]) {
        await put(Bucket, Key, `${Bucket}/${Key}`);
        expect(await get(Bucket, Key)).toBe(`${Bucket}/${Key}`);
        await client.send(new DeleteObjectCommand({ Bucket, Key }));
      }
      await client.send(new DeleteBucketCommand({ Bucket }));
    }
    expect((await a.get("/api/health")).status).toBe(200);
  });

  test("in folders that are no buckets are not shown", async () => {
    await a.json("POST", "/api/folders", { folder: "Not A Bucket" });
    const { Buckets = [] } = await client.send(new ListBucketsCommand({}));
    expect(Buckets.map(({ Name }) => Name)).not.toContain("Not A Bucket");
  });

  test("need a place of their own", async () => {
    const Bucket = await newBucket();
    await put(Bucket, "file");
    await expect(put(Bucket, "file/below")).rejects.toMatchObject({ name: "ObjectParentIsFile" });
    await put(Bucket, "folder/below");
    const refused = put(Bucket, "folder");
    await expect(refused).rejects.toMatchObject({ name: "ExistingObjectIsDirectory" });
  });

  test("of a folder are `key/` while it is empty and was made on purpose", async () => {
    const Bucket = await newBucket();
    await put(Bucket, "made/", "");
    await put(Bucket, "implied/file");
    const keys = async () => {
      const { Contents = [] } = await client.send(new ListObjectsV2Command({ Bucket }));
      return Contents.map(({ Key }) => Key);
    };
    expect(await keys()).toEqual(["implied/file", "made/"]);
    const head = await client.send(new HeadObjectCommand({ Bucket, Key: "made/" }));
    expect(head.ContentLength).toBe(0);
    await client.send(new DeleteObjectCommand({ Bucket, Key: "implied/file" }));
    await client.send(new DeleteObjectCommand({ Bucket, Key: "made/" }));
    expect(await keys()).toEqual([]);
    await client.send(new DeleteBucketCommand({ Bucket }));
  });
});

describe("a key with a folder and actions", () => {
  test("sees only its folder, and says what it may not do with it", async () => {
    const Bucket = await newBucket();
    await put(Bucket, "own/a", "1");
    await put(Bucket, "other/b", "2");
    const limited = clientWith(
      await createS3Key(server, { folder: `${Bucket}/own`, actions: ["list", "read"] }),
    );
    const { Buckets } = await limited.send(new ListBucketsCommand({}));
    expect(Buckets?.map(({ Name }) => Name)).toEqual([Bucket]);
    const { Contents } = await limited.send(new ListObjectsV2Command({ Bucket }));
    expect(Contents?.map(({ Key }) => Key)).toEqual(["own/a"]);
    const hidden = limited.send(new GetObjectCommand({ Bucket, Key: "other/b" }));
    await expect(hidden).rejects.toMatchObject({ name: "NoSuchKey" });
    const elsewhere = limited.send(new HeadBucketCommand({ Bucket: await newBucket() }));
    await expect(elsewhere).rejects.toMatchObject({ $metadata: { httpStatusCode: 404 } });
    const write = limited.send(new PutObjectCommand({ Bucket, Key: "own/c", Body: "3" }));
    await expect(write).rejects.toMatchObject({ name: "AccessDenied" });
    const removal = limited.send(new DeleteObjectCommand({ Bucket, Key: "own/a" }));
    await expect(removal).rejects.toMatchObject({ name: "AccessDenied" });
    expect(await get(Bucket, "own/a")).toBe("1");
  });
});

describe("what is not supported", () => {
  test("is NotImplemented, and what is not configured has an error of its own", async () => {
    const Bucket = await newBucket();
    const none = client.send(new GetBucketPolicyCommand({ Bucket }));
    await expect(none).rejects.toMatchObject({ name: "NoSuchBucketPolicy" });
    const { Status } = await client.send(new GetBucketVersioningCommand({ Bucket }));
    expect(Status).toBeUndefined();
    const encrypted = client.send(
      new PutObjectCommand({ Bucket, Key: "a", Body: "1", ServerSideEncryption: "AES256" }),
    );
    await expect(encrypted).rejects.toMatchObject({ name: "NotImplemented" });
  });
});

describe("every response", () => {
  test("has the id of the request, in the document of an error too", async () => {
    const headers = { Authorization: "AWS4-HMAC-SHA256 Credential=x" };
    const refused = await send(server, "GET", "/bucket/key", headers);
    expect(refused.status).toBe(400);
    const id = refused.header("x-amz-request-id");
    expect(id).toMatch(/^[0-9A-F]{16}$/);
    expect(refused.text).toContain(`<RequestId>${id}</RequestId>`);
    expect(refused.header("content-security-policy")).toBe("sandbox");
  });

  test("of a client above its limit is SlowDown", async () => {
    const limited = await startS3Server({ RATE_LIMIT_S3: "3" });
    try {
      const own = clientWith(limited.credentials, limited.url);
      for (let count = 0; count < 3; count += 1) await own.send(new ListBucketsCommand({}));
      const refused = own.send(new ListBucketsCommand({}));
      await expect(refused).rejects.toMatchObject({
        name: "SlowDown",
        $metadata: { httpStatusCode: 503 },
      });
      expect((await api(limited).get("/api/files")).status).toBe(200);
    } finally {
      await limited.discard();
    }
  });
});

test("the activity log has what S3 clients store and remove", async () => {
  const Bucket = await newBucket();
  await put(Bucket, "a.txt", "12345");
  await client.send(new DeleteObjectCommand({ Bucket, Key: "a.txt" }));
  await expect(put(Bucket, "x".repeat(300))).rejects.toMatchObject({ name: "KeyTooLongError" });
  const entries = z.object({
    activity: z.array(
      z.object({
        action: z.string(),
        outcome: z.string(),
        status: z.number(),
        subject: z.object({ key: z.string().nullable() }).nullable(),
      }),
    ),
  });
  const ofBucket = async () => {
    const { activity } = expectData(await a.get("/api/activity?limit=20"), entries);
    return activity.filter(({ subject }) => subject?.key?.startsWith(Bucket) === true);
  };
  let own = await ofBucket();
  await eventually("the entries", async () => {
    own = await ofBucket();
    return own.length >= 4;
  });
  expect(own.map(({ action, outcome, status }) => [action, outcome, status]).reverse()).toEqual([
    ["createFolder", "done", 200],
    ["uploadFiles", "done", 200],
    ["deleteFiles", "done", 204],
    ["uploadFiles", "failed", 400],
  ]);
});

test("a completed upload has no parts, and completing it again gives the same answer", async () => {
  const target = { Bucket: await newBucket(), Key: "parts.bin" };
  const { UploadId } = await client.send(new CreateMultipartUploadCommand(target));
  const upload = { ...target, UploadId };
  const part = { PartNumber: 1, Body: "the only part" };
  const { ETag } = await client.send(new UploadPartCommand({ ...upload, ...part }));
  const listed = await client.send(new ListPartsCommand({ ...upload, MaxParts: 5 }));
  expect([listed.Parts?.length, listed.MaxParts]).toEqual([1, 5]);
  const parts = { MultipartUpload: { Parts: [{ PartNumber: 1, ETag }] } };
  const complete = () => client.send(new CompleteMultipartUploadCommand({ ...upload, ...parts }));
  const first = await complete();
  await expect(client.send(new ListPartsCommand(upload))).rejects.toMatchObject({
    name: "NoSuchUpload",
  });
  expect((await complete()).ETag).toBe(first.ETag ?? "");
});
