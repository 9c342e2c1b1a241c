import { afterAll, describe, expect, test } from "bun:test";
import { createHash } from "node:crypto";
import {
  CompleteMultipartUploadCommand,
  CopyObjectCommand,
  CreateBucketCommand,
  CreateMultipartUploadCommand,
  DeleteBucketEncryptionCommand,
  GetBucketEncryptionCommand,
  GetObjectCommand,
  HeadObjectCommand,
  PutBucketEncryptionCommand,
  PutObjectCommand,
  S3Client,
  type ServerSideEncryption,
  UploadPartCommand,
} from "@aws-sdk/client-s3";
import { unique } from "../client.ts";
import { rawRequest } from "../raw.ts";
import { startS3Server } from "./s3-server.fixture.ts";
import { bytesOf, formDraft, signForm, signHeader } from "./sign-request.ts";

const plain = await startS3Server();
const encrypted = await startS3Server({ S3_ACCEPT_SSE: "true" });
afterAll(() => Promise.all([plain.discard(), encrypted.discard()]));
type Server = typeof plain;
const clientOf = (server: Server) =>
  new S3Client({
    endpoint: server.url,
    credentials: server.credentials,
    region: "us-east-1",
    forcePathStyle: true,
  });
const failure = (work: Promise<unknown>) =>
  work.then(
    () => ["no failure"],
    (error) => [error.$metadata?.httpStatusCode, error.name],
  );
const Key = "a.txt";
const AES = { ServerSideEncryption: "AES256" } as const;

async function newBucket(server: Server): Promise<string> {
  const Bucket = unique("sse");
  await clientOf(server).send(new CreateBucketCommand({ Bucket }));
  return Bucket;
}

async function send(
  server: Server,
  method: string,
  path: string,
  headers: Readonly<Record<string, string>>,
) {
  const draft = {
    ...{ method, path, query: "", body: Buffer.from(method === "PUT" ? "a" : "") },
    headers: { host: `127.0.0.1:${server.port}`, ...headers },
  };
  const { status, text } = await rawRequest(
    server.port,
    bytesOf(signHeader(draft, server.credentials)),
  );
  return [status, /<Code>(\w+)<\/Code>/.exec(text)?.[1]];
}

test("AES256 is refused with the name of the setting that accepts it", async () => {
  const client = clientOf(plain);
  const Bucket = await newBucket(plain);
  const refused = [501, "NotImplemented"];
  const error = await client
    .send(new PutObjectCommand({ Bucket, Key, ...AES }))
    .catch((cause: Error) => cause);
  expect(error).toMatchObject({
    name: "NotImplemented",
    message: expect.stringContaining("S3_ACCEPT_SSE=true"),
  });
  const multipart = new CreateMultipartUploadCommand({ Bucket, Key, ...AES });
  expect(await failure(client.send(multipart))).toEqual(refused);
  await client.send(new PutObjectCommand({ Bucket, Key: "source", Body: "a" }));
  const copy = new CopyObjectCommand({ Bucket, Key, CopySource: `${Bucket}/source`, ...AES });
  expect(await failure(client.send(copy))).toEqual(refused);
  const found = await client.send(new HeadObjectCommand({ Bucket, Key: "source" }));
  expect(found.ServerSideEncryption).toBeUndefined();
  expect((await failure(client.send(new HeadObjectCommand({ Bucket, Key }))))[0]).toBe(404);
});

test("with the setting, AES256 is accepted and confirmed", async () => {
  const client = clientOf(encrypted);
  const Bucket = await newBucket(encrypted);
  const put = await client.send(new PutObjectCommand({ Bucket, Key, Body: "a", ...AES }));
  const CopySource = `${Bucket}/${Key}`;
  const copy = await client.send(new CopyObjectCommand({ Bucket, Key: "b", CopySource, ...AES }));
  const get = await client.send(new GetObjectCommand({ Bucket, Key: "b" }));
  const { UploadId, ...created } = await client.send(
    new CreateMultipartUploadCommand({ Bucket, Key: "c", ...AES }),
  );
  const part = await client.send(
    new UploadPartCommand({ Bucket, Key: "c", UploadId, PartNumber: 1, Body: "part" }),
  );
  await client.send(
    new CompleteMultipartUploadCommand({
      ...{ Bucket, Key: "c", UploadId },
      MultipartUpload: { Parts: [{ PartNumber: 1, ETag: part.ETag }] },
    }),
  );
  const head = await client.send(new HeadObjectCommand({ Bucket, Key: "c" }));
  for (const answer of [put, copy, get, created, head]) {
    expect(answer.ServerSideEncryption).toBe("AES256");
  }
});

test.each([
  [plain, 501],
  [encrypted, 204],
] as const)("a form asks for it like a put", async (server, status) => {
  const Bucket = await newBucket(server);
  const field = "x-amz-server-side-encryption";
  const fields = signForm(
    [
      ["key", Key],
      [field, "AES256"],
    ],
    [{ bucket: Bucket }, { key: Key }, { [field]: "AES256" }],
    server.credentials,
  );
  const host = `127.0.0.1:${server.port}`;
  const draft = formDraft(`/${Bucket}`, fields, "x", host);
  expect((await rawRequest(server.port, bytesOf(draft))).status).toBe(status);
});

test("an object is copied to itself to be encrypted, and not without a change", async () => {
  const client = clientOf(encrypted);
  const Bucket = await newBucket(encrypted);
  await client.send(new PutObjectCommand({ Bucket, Key, Body: "1", Metadata: { a: "b" } }));
  const copy = { Bucket, Key, CopySource: `${Bucket}/${Key}` };
  expect(await failure(client.send(new CopyObjectCommand(copy)))).toEqual([400, "InvalidRequest"]);
  await client.send(new CopyObjectCommand({ ...copy, ...AES }));
  const { Metadata, ContentLength } = await client.send(new HeadObjectCommand({ Bucket, Key }));
  expect([Metadata, ContentLength]).toEqual([{ a: "b" }, 1]);
});

describe("a request that is wrong in itself gets its own error", () => {
  const SSE = "x-amz-server-side-encryption";
  const key = Buffer.alloc(32, 7);
  const md5 = createHash("md5").update(key).digest("base64");
  const customer = {
    [`${SSE}-customer-algorithm`]: "AES256",
    [`${SSE}-customer-key`]: key.toString("base64"),
    [`${SSE}-customer-key-md5`]: md5,
  };
  const without = (name: string) =>
    Object.fromEntries(Object.entries(customer).filter(([header]) => header !== `${SSE}-${name}`));

  test.each<[Record<string, string>, number, string]>([
    [{ [SSE]: "AES128" }, 400, "InvalidArgument"],
    [{ [SSE]: "aes256" }, 400, "InvalidArgument"],
    [{ [SSE]: "aws:kms" }, 501, "NotImplemented"],
    [{ [`${SSE}-aws-kms-key-id`]: "key" }, 400, "InvalidArgument"],
    [{ [SSE]: "AES256", ...customer }, 400, "InvalidArgument"],
    [{ [SSE]: "AES256", [`${SSE}-aws-kms-key-id`]: "key" }, 400, "InvalidArgument"],
    [without("customer-algorithm"), 400, "InvalidArgument"],
    [without("customer-key"), 400, "InvalidArgument"],
    [without("customer-key-md5"), 400, "InvalidArgument"],
    [{ ...customer, [`${SSE}-customer-key-md5`]: "AAAA" }, 400, "InvalidArgument"],
    [{ ...customer, [`${SSE}-customer-key`]: "c2hvcnQ=" }, 400, "InvalidArgument"],
    [
      { ...customer, [`${SSE}-customer-algorithm`]: "AES192" },
      400,
      "InvalidEncryptionAlgorithmError",
    ],
    [customer, 501, "NotImplemented"],
  ])("PUT with %p", async (headers, status, code) => {
    for (const server of [plain, encrypted]) {
      const Bucket = await newBucket(server);
      expect(await send(server, "PUT", `/${Bucket}/a`, headers)).toEqual([status, code]);
    }
  });

  test("GET with a key or an algorithm", async () => {
    for (const server of [plain, encrypted]) {
      const Bucket = await newBucket(server);
      const path = `/${Bucket}/a`;
      await send(server, "PUT", path, {});
      expect(await send(server, "GET", path, { [SSE]: "AES256" })).toEqual([
        400,
        "InvalidArgument",
      ]);
      expect(await send(server, "GET", path, customer)).toEqual([400, "InvalidRequest"]);
    }
  });
});

describe("the encryption of a bucket", () => {
  const put = (server: Server, Bucket: string, SSEAlgorithm: string) =>
    clientOf(server).send(
      new PutBucketEncryptionCommand({
        Bucket,
        ServerSideEncryptionConfiguration: {
          Rules: [
            {
              ApplyServerSideEncryptionByDefault: {
                SSEAlgorithm: SSEAlgorithm as ServerSideEncryption,
              },
            },
          ],
        },
      }),
    );
  const get = (server: Server, Bucket: string) =>
    clientOf(server).send(new GetBucketEncryptionCommand({ Bucket }));
  const absent = [404, "ServerSideEncryptionConfigurationNotFoundError"];

  test("is kept where all objects are encrypted, and removed", async () => {
    const Bucket = await newBucket(encrypted);
    expect(await failure(get(encrypted, Bucket))).toEqual(absent);
    await put(encrypted, Bucket, "AES256");
    const { ServerSideEncryptionConfiguration: found } = await get(encrypted, Bucket);
    const [rule] = found?.Rules ?? [];
    expect(rule?.ApplyServerSideEncryptionByDefault?.SSEAlgorithm).toBe("AES256");
    await clientOf(encrypted).send(new DeleteBucketEncryptionCommand({ Bucket }));
    expect(await failure(get(encrypted, Bucket))).toEqual(absent);
  });

  test("is refused without the setting, with keys of a service, and if it is malformed", async () => {
    const Bucket = await newBucket(plain);
    expect(await failure(put(plain, Bucket, "AES256"))).toEqual([501, "NotImplemented"]);
    expect(await failure(put(plain, Bucket, "ROT13"))).toEqual([400, "InvalidArgument"]);
    expect(await failure(get(plain, Bucket))).toEqual(absent);
    const other = await newBucket(encrypted);
    expect(await failure(put(encrypted, other, "aws:kms"))).toEqual([501, "NotImplemented"]);
    expect(await failure(put(encrypted, unique("absent"), "AES256"))).toEqual([
      404,
      "NoSuchBucket",
    ]);
  });
});
