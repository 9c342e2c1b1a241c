import { afterAll, describe, expect, test } from "bun:test";
import {
  CompleteMultipartUploadCommand,
  CopyObjectCommand,
  CreateBucketCommand,
  CreateMultipartUploadCommand,
  DeleteBucketTaggingCommand,
  DeleteObjectTaggingCommand,
  GetBucketTaggingCommand,
  GetObjectCommand,
  GetObjectTaggingCommand,
  HeadObjectCommand,
  PutBucketTaggingCommand,
  PutObjectCommand,
  PutObjectTaggingCommand,
  S3Client,
  type Tag,
  UploadPartCommand,
} from "@aws-sdk/client-s3";
import { api } from "../client.ts";
import { freePort } from "../free-port.fixture.ts";
import { rawRequest } from "../raw.ts";
import { createS3Key, startS3Server } from "./s3-server.fixture.ts";
import { bytesOf, formDraft, signForm } from "./sign-request.ts";

const s3Port = await freePort();
const server = await startS3Server({ S3_PORT: String(s3Port) });
afterAll(() => server.discard());
const endpoint = `http://127.0.0.1:${s3Port}`;
const clientOf = (credentials = server.credentials) =>
  new S3Client({ endpoint, credentials, region: "us-east-1", forcePathStyle: true });
const client = clientOf();
const Bucket = "tagged";
await client.send(new CreateBucketCommand({ Bucket }));

const put = (Key: string, Tagging?: string, Body = "content") =>
  client.send(new PutObjectCommand({ Bucket, Key, Body, ...(Tagging ? { Tagging } : {}) }));
const tagsOf = async (Key: string, by = client) =>
  (await by.send(new GetObjectTaggingCommand({ Bucket, Key }))).TagSet?.map(
    ({ Key: key, Value }) => `${key}=${Value}`,
  );
const setTags = (Key: string, TagSet: Tag[], by = client) =>
  by.send(new PutObjectTaggingCommand({ Bucket, Key, Tagging: { TagSet } }));
const failure = (work: Promise<unknown>) =>
  work.then(
    () => "no failure",
    (error) => [error.$metadata?.httpStatusCode, error.name],
  );
const manyTags = (count: number) =>
  Array.from(Array(count).keys(), (at) => ({ Key: `key ${at}`, Value: "v" }));

describe("tags of an object", () => {
  test("are set with it, counted for readers, and go when it is replaced", async () => {
    await put("set.txt", "team=a%20b&public&größe=%C3%BC+1");
    expect(await tagsOf("set.txt")).toEqual(["team=a b", "public=", "größe=ü 1"]);
    const read = await client.send(new GetObjectCommand({ Bucket, Key: "set.txt" }));
    expect(read.TagCount).toBe(3);
    await read.Body?.transformToString();
    await put("set.txt");
    expect(await tagsOf("set.txt")).toEqual([]);
    const again = await client.send(new GetObjectCommand({ Bucket, Key: "set.txt" }));
    expect(again.TagCount).toBeUndefined();
  });

  test("are changed and removed without new bytes, time or ETag", async () => {
    await put("change.txt", "a=1");
    const head = () => client.send(new HeadObjectCommand({ Bucket, Key: "change.txt" }));
    const before = await head();
    await setTags("change.txt", [{ Key: "b", Value: "2 + 3 = 5" }]);
    expect(await tagsOf("change.txt")).toEqual(["b=2 + 3 = 5"]);
    await client.send(new DeleteObjectTaggingCommand({ Bucket, Key: "change.txt" }));
    expect(await tagsOf("change.txt")).toEqual([]);
    const after = await head();
    expect([after.ETag, after.LastModified]).toEqual([before.ETag, before.LastModified]);
  });

  test("are those of a file that was not stored through the S3 API, whose ETag stays", async () => {
    await api(server).put("tagged/site.txt", "from the site");
    const head = () => client.send(new HeadObjectCommand({ Bucket, Key: "site.txt" }));
    const { ETag } = await head();
    await setTags("site.txt", [{ Key: "from", Value: "site" }]);
    expect(await tagsOf("site.txt")).toEqual(["from=site"]);
    expect((await head()).ETag).toBe(ETag ?? "");
  });

  test("follow a copy, or are replaced", async () => {
    await put("source.txt", "a=1");
    const copy = (Key: string, more: object = {}) =>
      client.send(new CopyObjectCommand({ Bucket, Key, CopySource: "tagged/source.txt", ...more }));
    await copy("copied.txt");
    expect(await tagsOf("copied.txt")).toEqual(["a=1"]);
    await copy("summed.txt", { ChecksumAlgorithm: "SHA256" });
    expect(await tagsOf("summed.txt")).toEqual(["a=1"]);
    await copy("replaced.txt", { TaggingDirective: "REPLACE", Tagging: "b=2" });
    expect(await tagsOf("replaced.txt")).toEqual(["b=2"]);
    await copy("none.txt", { TaggingDirective: "REPLACE" });
    expect(await tagsOf("none.txt")).toEqual([]);
    expect(await failure(copy("x.txt", { Tagging: "b=2" }))).toEqual([400, "InvalidArgument"]);
    expect(await failure(copy("x.txt", { TaggingDirective: "MERGE" }))).toEqual([
      400,
      "InvalidArgument",
    ]);
  });

  test("are those of a multipart upload", async () => {
    const at = { Bucket, Key: "parts.bin" };
    const { UploadId } = await client.send(
      new CreateMultipartUploadCommand({ ...at, Tagging: "in=parts" }),
    );
    const part = { ...at, UploadId, PartNumber: 1 };
    const { ETag } = await client.send(new UploadPartCommand({ ...part, Body: "bytes" }));
    await client.send(
      new CompleteMultipartUploadCommand({
        ...at,
        UploadId,
        MultipartUpload: { Parts: [{ PartNumber: 1, ETag }] },
      }),
    );
    expect(await tagsOf("parts.bin")).toEqual(["in=parts"]);
  });

  test("are those of a field of a form that the policy allows", async () => {
    const post = async (key: string, tagging: string) => {
      const form = [
        ["key", key],
        ["tagging", tagging],
      ] as const;
      const conditions = [{ bucket: Bucket }, { key }, ["starts-with", "$tagging", "<Tagging>"]];
      const fields = signForm(form, conditions, server.credentials);
      const host = `127.0.0.1:${server.port}`;
      return rawRequest(server.port, bytesOf(formDraft(`/${Bucket}`, fields, "content", host)));
    };
    const tag = "<Tag><Key>a b</Key><Value>1</Value></Tag>";
    const document = (tags: string) => `<Tagging><TagSet>${tags}</TagSet></Tagging>`;
    expect((await post("form.txt", document(tag))).status).toBe(204);
    expect(await tagsOf("form.txt")).toEqual(["a b=1"]);
    expect((await post("bad.txt", document(tag.repeat(2)))).status).toBe(400);
    expect((await post("bad.txt", "<Tagging>")).status).toBe(400);
    expect((await post("bad.txt", "<tagging></tagging>")).status).toBe(403);
    expect(await failure(tagsOf("bad.txt"))).toEqual([404, "NoSuchKey"]);
  });

  test("have the limits of S3", async () => {
    await put("limits.txt", "kept=1");
    const longest = { Key: "k".repeat(128), Value: "v".repeat(256) };
    const refused: [string, Tag[]][] = [
      ["InvalidTag", manyTags(11)],
      ["InvalidTag", [{ ...longest, Key: `${longest.Key}k` }]],
      ["InvalidTag", [{ ...longest, Value: `${longest.Value}v` }]],
      ["InvalidTag", [longest, longest]],
      ["InvalidTag", [{ Key: "", Value: "" }]],
      ["InvalidTag", [{ Key: "aws:own", Value: "" }]],
      ["InvalidTag", [{ Key: "a<b", Value: "" }]],
    ];
    for (const [code, tags] of refused) {
      expect(await failure(setTags("limits.txt", tags))).toEqual([400, code]);
    }
    for (const header of ["a=%ff", "a=%zz"]) {
      expect(await failure(put("limits.txt", header))).toEqual([400, "InvalidArgument"]);
    }
    expect(await failure(put("limits.txt", "a=1&a=2"))).toEqual([400, "InvalidTag"]);
    expect(await tagsOf("limits.txt")).toEqual(["kept=1"]);
    await setTags("limits.txt", [longest, ...manyTags(9)]);
    expect(await tagsOf("limits.txt")).toHaveLength(10);
    expect(await failure(put("folder/", "a=1", ""))).toEqual([501, "NotImplemented"]);
    expect(await failure(setTags("missing.txt", []))).toEqual([404, "NoSuchKey"]);
  });

  test("need the action to read or write and the object in the folder of the key", async () => {
    await put("rights/a.txt", "a=1");
    const reader = clientOf(await createS3Key(server, { folder: Bucket, actions: ["read"] }));
    const other = clientOf(await createS3Key(server, { folder: "tagged/other" }));
    expect(await tagsOf("rights/a.txt", reader)).toEqual(["a=1"]);
    expect(await failure(setTags("rights/a.txt", [], reader))).toEqual([403, "AccessDenied"]);
    expect(await failure(tagsOf("rights/a.txt", other))).toEqual([404, "NoSuchKey"]);
    expect(await failure(setTags("rights/a.txt", [], other))).toEqual([404, "NoSuchKey"]);
    expect(await tagsOf("rights/a.txt")).toEqual(["a=1"]);
  });

  test("are hidden from requests without a signature", async () => {
    await client.send(
      new PutObjectCommand({
        Bucket,
        Key: "open.txt",
        Body: "open",
        ACL: "public-read",
        Tagging: "secret=1",
      }),
    );
    const response = await fetch(`${endpoint}/tagged/open.txt`);
    expect([response.status, response.headers.get("x-amz-tagging-count")]).toEqual([200, null]);
    expect(await (await fetch(`${endpoint}/tagged/open.txt?tagging`)).text()).not.toContain(
      "secret",
    );
    const hosted = await fetch(`${server.url}/api/hosting/tagged/open.txt`);
    expect(JSON.stringify([...hosted.headers])).not.toContain("secret");
  });
});

describe("tags of a bucket", () => {
  const get = async (by = client) =>
    (await by.send(new GetBucketTaggingCommand({ Bucket }))).TagSet?.map(({ Key }) => Key);
  const set = (TagSet: Tag[], by = client) =>
    by.send(new PutBucketTaggingCommand({ Bucket, Tagging: { TagSet } }));

  test("are kept until they are removed", async () => {
    expect(await failure(get())).toEqual([404, "NoSuchTagSet"]);
    await set(manyTags(50));
    expect(await get()).toHaveLength(50);
    expect(await failure(set(manyTags(51)))).toEqual([400, "InvalidTag"]);
    const limited = clientOf(await createS3Key(server, { folder: "tagged/in" }));
    expect(await failure(set(manyTags(1), limited))).toEqual([403, "AccessDenied"]);
    expect(await get()).toHaveLength(50);
    await client.send(new DeleteBucketTaggingCommand({ Bucket }));
    expect(await failure(get())).toEqual([404, "NoSuchTagSet"]);
  });
});
