import type { FileService } from "../../files/file-service.ts";
import type { ReadBytes } from "../../files/read.ts";
import { createPutObjectAcl, getBucketAcl, getObjectAcl, putBucketAcl } from "./handlers/acl.ts";
import { createBucket, deleteBucket, headBucket, listBuckets } from "./handlers/buckets.ts";
import { completeMultipart } from "./handlers/complete-multipart.ts";
import { createCopyObject } from "./handlers/copy-object.ts";
import { copyPart } from "./handlers/copy-part.ts";
import { deleteObject, deleteObjects } from "./handlers/delete-objects.ts";
import { createGetObject } from "./handlers/get-object.ts";
import { listObjects, listVersions } from "./handlers/list-objects.ts";
import { listUploads } from "./handlers/list-uploads.ts";
import { abortMultipart, createMultipart, listParts, uploadPart } from "./handlers/multipart.ts";
import { objectAttributes } from "./handlers/object-attributes.ts";
import { putObject } from "./handlers/put-object.ts";
import { bucketStubs, getObjectTagging, noObjectLock } from "./handlers/stubs.ts";
import type { S3Operation, S3Operations } from "./operations.ts";
import type { BucketInput, ObjectInput } from "./s3-input.ts";
import type { S3Parts } from "./s3-parts.ts";

export interface OperationParts extends Pick<S3Parts, "send" | "onSend"> {
  readonly readBytes: ReadBytes;
  readonly filesOf: (input: ObjectInput) => Pick<FileService, "change">;
}

/** Every operation of the S3 API that the server has. */
export function createOperations({ readBytes, filesOf, ...parts }: OperationParts): S3Operations {
  const getObject = { handle: createGetObject(parts), isDelivery: true } as const;
  const putObjectAcl = createPutObjectAcl(filesOf);
  return {
    service: { GET: { handle: listBuckets } },
    bucket: {
      PUT: { handle: createBucket, audit: "createFolder" },
      HEAD: { handle: headBucket },
      DELETE: { handle: deleteBucket, audit: "deleteFolder" },
      GET: { handle: listObjects },
      "GET?versions": { handle: listVersions },
      "GET?uploads": { handle: listUploads },
      "POST?delete": { handle: deleteObjects, audit: "deleteFiles" },
      "GET?acl": { handle: getBucketAcl },
      "PUT?acl": { handle: putBucketAcl },
      ...stubs(),
    },
    object: {
      GET: getObject,
      HEAD: getObject,
      PUT: { handle: putObject, audit: "uploadFiles" },
      COPY: { handle: createCopyObject(readBytes), audit: "uploadFiles" },
      DELETE: { handle: deleteObject, audit: "deleteFiles" },
      "POST?uploads": { handle: createMultipart },
      "PUT?uploadId": { handle: uploadPart },
      "COPY?uploadId": { handle: copyPart },
      "POST?uploadId": { handle: completeMultipart, audit: "uploadFiles" },
      "DELETE?uploadId": { handle: abortMultipart },
      "GET?uploadId": { handle: listParts },
      "GET?attributes": { handle: objectAttributes },
      "GET?acl": { handle: getObjectAcl },
      "PUT?acl": { handle: putObjectAcl, audit: "changeFile" },
      "GET?tagging": { handle: getObjectTagging },
      "GET?retention": { handle: noObjectLock },
      "GET?legal-hold": { handle: noObjectLock },
    },
  };
}

const stubs = (): Record<string, S3Operation<BucketInput>> =>
  Object.fromEntries(
    Object.entries(bucketStubs).map(([name, handle]) => [`GET?${name}`, { handle }]),
  );
