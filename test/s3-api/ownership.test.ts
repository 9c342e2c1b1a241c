import { afterAll, expect, test } from "bun:test";
import {
  CopyObjectCommand,
  CreateBucketCommand,
  CreateMultipartUploadCommand,
  DeleteBucketOwnershipControlsCommand,
  GetBucketOwnershipControlsCommand,
  GetObjectAclCommand,
  HeadBucketCommand,
  type ObjectCannedACL,
  type ObjectOwnership,
  PutBucketAclCommand,
  PutBucketOwnershipControlsCommand,
  PutObjectAclCommand,
  PutObjectCommand,
  S3Client,
} from "@aws-sdk/client-s3";
import { unique } from "../client.ts";
import { rawRequest } from "../raw.ts";
import { createS3Key, startS3Server } from "./s3-server.fixture.ts";
import { bytesOf, formDraft, signForm } from "./sign-request.ts";

const server = await startS3Server();
afterAll(() => server.discard());
const clientWith = (credentials: { accessKeyId: string; secretAccessKey: string }) =>
  new S3Client({
    endpoint: server.url,
    credentials,
    region: "us-east-1",
    forcePathStyle: true,
  });
const client = clientWith(server.credentials);
const failure = (work: Promise<unknown>) =>
  work.then(
    () => ["no failure"],
    (error) => [error.$metadata?.httpStatusCode, error.name],
  );
const UNSUPPORTED = [400, "AccessControlListNotSupported"];

async function newBucket(ownership?: ObjectOwnership): Promise<string> {
  const Bucket = unique("owned");
  await client.send(new CreateBucketCommand({ Bucket, ObjectOwnership: ownership }));
  return Bucket;
}

const controls = (Bucket: string) =>
  client
    .send(new GetBucketOwnershipControlsCommand({ Bucket }))
    .then(({ OwnershipControls }) => OwnershipControls?.Rules);
const set = (Bucket: string, ObjectOwnership: string) =>
  client.send(
    new PutBucketOwnershipControlsCommand({
      Bucket,
      OwnershipControls: { Rules: [{ ObjectOwnership: ObjectOwnership as ObjectOwnership }] },
    }),
  );

test("ownership controls are kept, returned and removed", async () => {
  const Bucket = await newBucket();
  expect(await failure(controls(Bucket))).toEqual([404, "OwnershipControlsNotFoundError"]);
  for (const ownership of ["BucketOwnerPreferred", "ObjectWriter", "BucketOwnerEnforced"]) {
    await set(Bucket, ownership);
    expect(await controls(Bucket)).toEqual([{ ObjectOwnership: ownership as ObjectOwnership }]);
  }
  for (let time = 0; time < 2; time += 1) {
    await client.send(new DeleteBucketOwnershipControlsCommand({ Bucket }));
    expect(await failure(controls(Bucket))).toEqual([404, "OwnershipControlsNotFoundError"]);
  }
});

test("the ownership of CreateBucket is kept, and an unknown one is refused", async () => {
  expect(await controls(await newBucket("BucketOwnerEnforced"))).toEqual([
    { ObjectOwnership: "BucketOwnerEnforced" },
  ]);
  const Bucket = unique("owned");
  const wrong = { Bucket, ObjectOwnership: "Mine" as ObjectOwnership };
  expect(await failure(client.send(new CreateBucketCommand(wrong)))).toEqual([
    400,
    "InvalidArgument",
  ]);
  expect((await failure(client.send(new HeadBucketCommand({ Bucket }))))[0]).toBe(404);
});

test("a document without one known rule is malformed, and changes nothing", async () => {
  const Bucket = await newBucket("ObjectWriter");
  expect(await failure(set(Bucket, "Mine"))).toEqual([400, "MalformedXML"]);
  const none = { Bucket, OwnershipControls: { Rules: [] } };
  expect(await failure(client.send(new PutBucketOwnershipControlsCommand(none)))).toEqual([
    400,
    "MalformedXML",
  ]);
  expect(await controls(Bucket)).toEqual([{ ObjectOwnership: "ObjectWriter" }]);
  expect(await failure(set(unique("absent"), "Mine"))).toEqual([404, "NoSuchBucket"]);
});

test("a bucket whose owner is enforced takes no ACLs", async () => {
  const Bucket = await newBucket("BucketOwnerEnforced");
  const put = (Key: string, ACL?: ObjectCannedACL) =>
    client.send(new PutObjectCommand({ Bucket, Key, Body: "a", ACL }));
  await put("plain");
  await put("owner", "bucket-owner-full-control");
  for (const ACL of ["private", "public-read"] as const) {
    const CopySource = `${Bucket}/plain`;
    expect(await failure(put("refused", ACL))).toEqual(UNSUPPORTED);
    for (const command of [
      new CopyObjectCommand({ Bucket, Key: "refused", CopySource, ACL }),
      new CreateMultipartUploadCommand({ Bucket, Key: "refused", ACL }),
      new PutObjectAclCommand({ Bucket, Key: "plain", ACL }),
      new PutBucketAclCommand({ Bucket, ACL }),
    ]) {
      expect(await failure(client.send(command as PutObjectAclCommand))).toEqual(UNSUPPORTED);
    }
  }
  const { Grants } = await client.send(new GetObjectAclCommand({ Bucket, Key: "plain" }));
  expect(Grants).toHaveLength(1);
});

test("a form with an ACL is refused like a put", async () => {
  const Bucket = await newBucket("BucketOwnerEnforced");
  const fields = (acl: string) =>
    signForm(
      [
        ["key", "a.txt"],
        ["acl", acl],
      ],
      [{ bucket: Bucket }, { key: "a.txt" }, { acl }],
      server.credentials,
    );
  const host = `127.0.0.1:${server.port}`;
  const post = (acl: string) =>
    rawRequest(server.port, bytesOf(formDraft(`/${Bucket}`, fields(acl), "x", host)));
  const refused = await post("public-read");
  expect([refused.status, refused.text]).toEqual([
    400,
    expect.stringContaining("AccessControlListNotSupported"),
  ]);
  expect((await post("bucket-owner-full-control")).status).toBe(204);
});

test("a bucket that is public by its ACL is not made one without ACLs", async () => {
  const conflict = [400, "InvalidBucketAclWithObjectOwnership"];
  const Bucket = unique("owned");
  const both = { Bucket, ACL: "public-read", ObjectOwnership: "BucketOwnerEnforced" } as const;
  expect(await failure(client.send(new CreateBucketCommand(both)))).toEqual(conflict);
  await client.send(new CreateBucketCommand({ Bucket, ACL: "public-read" }));
  expect(await failure(set(Bucket, "BucketOwnerEnforced"))).toEqual(conflict);
  await client.send(new PutBucketAclCommand({ Bucket, ACL: "private" }));
  await set(Bucket, "BucketOwnerEnforced");
});

test("only a key that may write to the whole bucket changes its ownership", async () => {
  const Bucket = await newBucket();
  const reader = clientWith(await createS3Key(server, { actions: ["read", "list"] }));
  const command = new PutBucketOwnershipControlsCommand({
    Bucket,
    OwnershipControls: { Rules: [{ ObjectOwnership: "ObjectWriter" }] },
  });
  expect(await failure(reader.send(command))).toEqual([403, "AccessDenied"]);
  expect(await failure(controls(Bucket))).toEqual([404, "OwnershipControlsNotFoundError"]);
});
