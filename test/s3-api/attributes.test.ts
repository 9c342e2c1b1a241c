import { afterAll, expect, test } from "bun:test";
import {
  CompleteMultipartUploadCommand,
  CreateBucketCommand,
  CreateMultipartUploadCommand,
  GetObjectAttributesCommand,
  S3Client,
  UploadPartCommand,
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

test("the attributes of an object that was uploaded in parts have all their names", async () => {
  const object = { Bucket: "attributes", Key: "parts.bin" };
  await client.send(new CreateBucketCommand({ Bucket: object.Bucket }));
  const { UploadId } = await client.send(
    new CreateMultipartUploadCommand({ ...object, ChecksumAlgorithm: "SHA256" }),
  );
  const part = { PartNumber: 1, Body: "content", ChecksumAlgorithm: "SHA256" } as const;
  const { ETag, ChecksumSHA256 } = await client.send(
    new UploadPartCommand({ ...object, UploadId, ...part }),
  );
  const MultipartUpload = { Parts: [{ PartNumber: 1, ETag, ChecksumSHA256 }] };
  await client.send(new CompleteMultipartUploadCommand({ ...object, UploadId, MultipartUpload }));
  const attributes = await client.send(
    new GetObjectAttributesCommand({
      ...object,
      ObjectAttributes: ["ETag", "Checksum", "ObjectParts", "StorageClass", "ObjectSize"],
    }),
  );
  expect(attributes).toMatchObject({
    ETag: expect.stringMatching(/^[0-9a-f]{32}-1$/),
    Checksum: { ChecksumSHA256: expect.stringMatching(/-1$/), ChecksumType: "COMPOSITE" },
    ObjectParts: { TotalPartsCount: 1, Parts: [{ PartNumber: 1, Size: 7, ChecksumSHA256 }] },
    StorageClass: "STANDARD",
    ObjectSize: 7,
  });
});
