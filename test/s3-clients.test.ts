import { afterAll, describe, expect, test } from "bun:test";
import { createHash, randomBytes } from "node:crypto";
import { Readable } from "node:stream";
import {
  CopyObjectCommand,
  CreateBucketCommand,
  DeleteBucketCommand,
  DeleteObjectCommand,
  DeleteObjectsCommand,
  GetObjectAttributesCommand,
  GetObjectCommand,
  HeadObjectCommand,
  ListBucketsCommand,
  ListMultipartUploadsCommand,
  PutObjectCommand,
  paginateListObjectsV2,
  S3Client,
} from "@aws-sdk/client-s3";
import { Upload } from "@aws-sdk/lib-storage";
import { createPresignedPost } from "@aws-sdk/s3-presigned-post";
import { getSignedUrl } from "@aws-sdk/s3-request-presigner";
import { Client } from "minio";
import { unique } from "./client.ts";
import { startS3Server } from "./s3-api/s3-server.fixture.ts";
import { isOnS3 } from "./test-stores.ts";

const server = await startS3Server();
const client = new S3Client({
  endpoint: server.url,
  region: "us-east-1",
  forcePathStyle: true,
  credentials: server.credentials,
});
const minio = new Client({
  endPoint: "127.0.0.1",
  port: server.port,
  useSSL: false,
  accessKey: server.credentials.accessKeyId,
  secretKey: server.credentials.secretAccessKey,
});
afterAll(async () => {
  client.destroy();
  await server.discard();
});

const md5 = (bytes: string | Uint8Array): string => createHash("md5").update(bytes).digest("hex");

async function newBucket(): Promise<string> {
  const Bucket = unique("bucket");
  await client.send(new CreateBucketCommand({ Bucket }));
  return Bucket;
}

const textOf = async (Bucket: string, Key: string): Promise<string> => {
  const { Body } = await client.send(new GetObjectCommand({ Bucket, Key }));
  return (await Body?.transformToString()) ?? "";
};

describe("the AWS SDK with its defaults", () => {
  test("creates, lists and removes buckets", async () => {
    const bucket = await newBucket();
    const { Buckets = [] } = await client.send(new ListBucketsCommand({}));
    expect(Buckets.map(({ Name }) => Name)).toContain(bucket);
    await client.send(new PutObjectCommand({ Bucket: bucket, Key: "a/b", Body: "1" }));
    const removal = client.send(new DeleteBucketCommand({ Bucket: bucket }));
    await expect(removal).rejects.toMatchObject({ name: "BucketNotEmpty" });
    await client.send(new DeleteObjectCommand({ Bucket: bucket, Key: "a/b" }));
    await client.send(new DeleteBucketCommand({ Bucket: bucket }));
    const gone = client.send(new GetObjectCommand({ Bucket: bucket, Key: "a/b" }));
    await expect(gone).rejects.toMatchObject({ name: "NoSuchBucket" });
  });

  test("stores text, bytes and streams with checksums, and reads them back", async () => {
    const Bucket = await newBucket();
    const bytes = randomBytes(300_000);
    const bodies = {
      text: "some text",
      bytes,
      stream: Readable.from([bytes.subarray(0, 100_000), bytes.subarray(100_000)]),
    };
    for (const [Key, Body] of Object.entries(bodies)) {
      const ContentLength = Key === "stream" ? bytes.length : undefined;
      const put = await client.send(new PutObjectCommand({ Bucket, Key, Body, ContentLength }));
      expect(put.ETag).toBe(`"${md5(Key === "text" ? "some text" : bytes)}"`);
      const read = await client.send(new GetObjectCommand({ Bucket, Key }));
      expect(read.ChecksumCRC32).toBeString();
      const stored = await read.Body?.transformToByteArray();
      expect(md5(stored ?? "")).toBe(md5(Key === "text" ? "some text" : bytes));
    }
  });

  test("keeps metadata and headers, which copies keep or replace", async () => {
    const Bucket = await newBucket();
    const details = {
      CacheControl: "max-age=60",
      ContentDisposition: 'attachment; filename="b.txt"',
      ContentEncoding: "gzip",
      ContentLanguage: "de",
      ContentType: "text/x-a",
      Expires: new Date("2030-01-01T00:00:00Z"),
      Metadata: { "mtime_1.5": "12", empty: "" },
    };
    await client.send(new PutObjectCommand({ Bucket, Key: "a", Body: "1", ...details }));
    const { Expires, ...shown } = details;
    const head = (Key: string) => client.send(new HeadObjectCommand({ Bucket, Key }));
    expect(await head("a")).toMatchObject({ ...shown, ContentLength: 1 });
    const CopySource = `${Bucket}/a`;
    await client.send(new CopyObjectCommand({ Bucket, Key: "kept", CopySource }));
    expect(await head("kept")).toMatchObject(shown);
    const replaced = { Metadata: { b: "2" }, MetadataDirective: "REPLACE" } as const;
    await client.send(new CopyObjectCommand({ Bucket, Key: "a", CopySource, ...replaced }));
    const { Metadata, CacheControl } = await head("a");
    expect([Metadata, CacheControl]).toEqual([{ b: "2" }, undefined]);
    expect(await textOf(Bucket, "a")).toBe("1");
  });

  test("pages through lists with a delimiter", async () => {
    const Bucket = await newBucket();
    const keys = ["a/1", "a/2", "b", "c/d/e", "c-", "ü", "𝄞"];
    for (const Key of keys) await client.send(new PutObjectCommand({ Bucket, Key, Body: Key }));
    const found: string[] = [];
    const pages = paginateListObjectsV2({ client, pageSize: 2 }, { Bucket, Delimiter: "/" });
    for await (const { Contents = [], CommonPrefixes = [] } of pages) {
      const entries = [
        ...Contents.map(({ Key }) => Key),
        ...CommonPrefixes.map((each) => each.Prefix),
      ];
      found.push(...entries.map(String).sort());
    }
    expect(found).toEqual(["a/", "b", "c-", "c/", "ü", "𝄞"]);
  });

  test("writes on conditions", async () => {
    const Bucket = await newBucket();
    const put = (condition: { IfMatch?: string; IfNoneMatch?: string }) =>
      client.send(new PutObjectCommand({ Bucket, Key: "a", Body: "1", ...condition }));
    const { ETag = "" } = await put({ IfNoneMatch: "*" });
    await expect(put({ IfNoneMatch: "*" })).rejects.toMatchObject({ name: "PreconditionFailed" });
    await put({ IfMatch: ETag });
    await expect(put({ IfMatch: '"0"' })).rejects.toMatchObject({ name: "PreconditionFailed" });
  });

  test("removes many objects at once, and folders that this leaves empty", async () => {
    const Bucket = await newBucket();
    const keys = Array.from({ length: 20 }, (_, at) => `folder/${at % 3}/${at}`);
    await Promise.all(
      keys.map((Key) => client.send(new PutObjectCommand({ Bucket, Key, Body: "1" }))),
    );
    const Objects = [...keys, "absent"].map((Key) => ({ Key }));
    const removed = await client.send(new DeleteObjectsCommand({ Bucket, Delete: { Objects } }));
    expect(removed.Deleted).toHaveLength(21);
    expect(removed.Errors).toBeUndefined();
    await client.send(new DeleteBucketCommand({ Bucket }));
  });

  test("uploads a stream of unknown length in parts", async () => {
    const Bucket = await newBucket();
    const bytes = randomBytes(11 * 1024 * 1024);
    const Body = Readable.from([bytes.subarray(0, 7_000_000), bytes.subarray(7_000_000)]);
    const upload = new Upload({ client, params: { Bucket, Key: "large", Body } });
    const { ETag } = await upload.done();
    expect(ETag).toEndWith('-3"');
    const { Body: stored } = await client.send(new GetObjectCommand({ Bucket, Key: "large" }));
    expect(md5((await stored?.transformToByteArray()) ?? "")).toBe(md5(bytes));
    const second = await client.send(new GetObjectCommand({ Bucket, Key: "large", PartNumber: 2 }));
    expect(second.PartsCount).toBe(3);
    expect(second.ContentLength).toBe(isOnS3 ? undefined : 5 * 1024 * 1024);
    expect((await second.Body?.transformToByteArray())?.length).toBe(5 * 1024 * 1024);
    const attributes = await client.send(
      new GetObjectAttributesCommand({
        Bucket,
        Key: "large",
        ObjectAttributes: ["ObjectParts", "ObjectSize", "ETag"],
      }),
    );
    expect(attributes.ObjectSize).toBe(bytes.length);
    expect(attributes.ObjectParts).toMatchObject({ TotalPartsCount: 3, MaxParts: 1000 });
    const { Uploads } = await client.send(new ListMultipartUploadsCommand({ Bucket }));
    expect(Uploads).toBeUndefined();
  });

  test("signs URLs to read and to write, and forms", async () => {
    const Bucket = await newBucket();
    const whenRequired = new S3Client({
      endpoint: server.url,
      region: "us-east-1",
      forcePathStyle: true,
      credentials: server.credentials,
      requestChecksumCalculation: "WHEN_REQUIRED",
    });
    const put = await getSignedUrl(whenRequired, new PutObjectCommand({ Bucket, Key: "a" }));
    expect((await fetch(put, { method: "PUT", body: "by URL" })).status).toBe(200);
    const get = await getSignedUrl(client, new GetObjectCommand({ Bucket, Key: "a" }));
    expect(await (await fetch(get)).text()).toBe("by URL");
    const { url, fields } = await createPresignedPost(client, {
      Bucket,
      Key: `forms/$\{filename}`,
      Conditions: [["content-length-range", 1, 10]],
    });
    const post = (content: string) => {
      const form = new FormData();
      for (const [name, value] of Object.entries(fields)) form.append(name, value);
      form.append("file", new Blob([content]), "b.txt");
      return fetch(url, { method: "POST", body: form });
    };
    expect((await post("by form")).status).toBe(204);
    expect(await textOf(Bucket, "forms/b.txt")).toBe("by form");
    const refused = await post("a file that is too long");
    expect(refused.status).toBe(400);
    expect(await refused.text()).toContain("<Code>EntityTooLarge</Code>");
    whenRequired.destroy();
  });

  test("explains why a presigned PUT with the checksum of nothing is refused", async () => {
    const Bucket = await newBucket();
    const url = await getSignedUrl(client, new PutObjectCommand({ Bucket, Key: "a" }));
    const refused = await fetch(url, { method: "PUT", body: "content" });
    expect(refused.status).toBe(400);
    expect(await refused.text()).toContain("WHEN_REQUIRED");
  });
});

describe("the MinIO client with its defaults", () => {
  test("stores, lists, copies and removes objects", async () => {
    const bucket = unique("bucket");
    await minio.makeBucket(bucket);
    expect(await minio.bucketExists(bucket)).toBe(true);
    expect(await minio.bucketExists(unique("bucket"))).toBe(false);
    const bytes = randomBytes(6 * 1024 * 1024);
    await minio.putObject(bucket, "a/b c.bin", bytes, bytes.length, { "X-Amz-Meta-A": "1" });
    const stat = await minio.statObject(bucket, "a/b c.bin");
    expect(stat.size).toBe(bytes.length);
    expect(stat.metaData).toMatchObject({ a: "1" });
    const read: Buffer[] = [];
    for await (const chunk of await minio.getObject(bucket, "a/b c.bin")) read.push(chunk);
    expect(md5(Buffer.concat(read))).toBe(md5(bytes));
    const listed: string[] = [];
    for await (const { name } of minio.listObjectsV2(bucket, "", true)) listed.push(name);
    expect(listed).toEqual(["a/b c.bin"]);
    const url = await minio.presignedGetObject(bucket, "a/b c.bin", 60);
    const response = await fetch(url);
    expect(response.headers.get("content-length")).toBe(isOnS3 ? null : String(bytes.length));
    expect((await response.bytes()).length).toBe(bytes.length);
    await minio.removeObject(bucket, "a/b c.bin");
    await minio.removeBucket(bucket);
  });

  test("uploads a stream of unknown length", async () => {
    const bucket = unique("bucket");
    await minio.makeBucket(bucket);
    const bytes = randomBytes(1_000_000);
    await minio.putObject(bucket, "stream", Readable.from([bytes]));
    const read: Buffer[] = [];
    for await (const chunk of await minio.getObject(bucket, "stream")) read.push(chunk);
    expect(md5(Buffer.concat(read))).toBe(md5(bytes));
  });
});
