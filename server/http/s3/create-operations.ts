import type { FileService } from "../../files/file-service.ts";
import type { ReadBytes } from "../../files/read.ts";
import { createPutObjectAcl, getBucketAcl, getObjectAcl, putBucketAcl } from "./handlers/acl.ts";
import { deleteBucketCors, getBucketCors, putBucketCors } from "./handlers/bucket-cors.ts";
import {
  createPutBucketEncryption,
  deleteBucketEncryption,
  getBucketEncryption,
} from "./handlers/bucket-encryption.ts";
import {
  deleteBucketLifecycle,
  getBucketLifecycle,
  putBucketLifecycle,
} from "./handlers/bucket-lifecycle.ts";
import {
  deleteBucketOwnership,
  getBucketOwnership,
  putBucketOwnership,
} from "./handlers/bucket-ownership.ts";
import {
  deleteBucketPolicy,
  getBucketPolicy,
  getBucketPolicyStatus,
  putBucketPolicy,
} from "./handlers/bucket-policy.ts";
import {
  deleteBucketTagging,
  getBucketTagging,
  putBucketTagging,
} from "./handlers/bucket-tagging.ts";
import { putBucketVersioning } from "./handlers/bucket-versioning.ts";
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
import { noObjectLock, putLegalHold, putObjectLock, putRetention } from "./handlers/object-lock.ts";
import {
  deleteObjectTagging,
  getObjectTagging,
  putObjectTagging,
} from "./handlers/object-tagging.ts";
import {
  deletePublicAccessBlock,
  getPublicAccessBlock,
  putPublicAccessBlock,
} from "./handlers/public-access-block.ts";
import { putObject } from "./handlers/put-object.ts";
import { bucketRemovals, bucketStubs, configurationRemovals } from "./handlers/stubs.ts";
import { unsetSettings } from "./handlers/unset-settings.ts";
import type { S3Operation, S3Operations } from "./operations.ts";
import type { S3Deps } from "./s3-deps.ts";
import type { BucketHandler, BucketInput } from "./s3-input.ts";

export interface OperationDeps
  extends Pick<S3Deps, "send" | "onSend" | "now" | "acceptsEncryption"> {
  readonly readBytes: ReadBytes;
  readonly files: Pick<FileService, "change">;
}

/** What is set besides the content. */
const DETAILS = ["x-amz-acl", "x-amz-tagging"];
const WRITE_CONDITIONS = ["if-match", "if-none-match"];
const SOURCE = [
  "x-amz-copy-source",
  "x-amz-copy-source-if-match",
  "x-amz-copy-source-if-modified-since",
  "x-amz-copy-source-if-none-match",
  "x-amz-copy-source-if-unmodified-since",
];
const REMOVAL_CONDITIONS = ["if-match", "x-amz-if-match-last-modified-time", "x-amz-if-match-size"];
/** A policy takes no rights from the client that sets it. */
const CONFIRM = "x-amz-confirm-remove-self-bucket-access";
const PARTS_PAGE = ["x-amz-max-parts", "x-amz-object-attributes", "x-amz-part-number-marker"];

/** Every operation of the S3 API that the server has, with the headers and parameters that it evaluates. */
export function createOperations({ readBytes, files, ...deps }: OperationDeps): S3Operations {
  const { acceptsEncryption } = deps;
  const getObject = {
    handle: createGetObject(deps),
    isDelivery: true,
    isOfContent: true,
  } as const;
  const putObjectAcl = createPutObjectAcl(files);
  return {
    service: { GET: { handle: listBuckets } },
    bucket: {
      PUT: {
        handle: createBucket,
        audit: "createFolder",
        headers: ["x-amz-acl", "x-amz-object-ownership"],
      },
      HEAD: { handle: headBucket },
      DELETE: { handle: deleteBucket, audit: "deleteFolder" },
      GET: { handle: listObjects },
      "GET?versions": { handle: listVersions },
      "GET?uploads": { handle: listUploads },
      "POST?delete": { handle: deleteObjects, audit: "deleteFiles" },
      "GET?acl": { handle: getBucketAcl },
      "PUT?acl": { handle: putBucketAcl, audit: "changeFolder", headers: ["x-amz-acl"] },
      "GET?cors": { handle: getBucketCors },
      "PUT?cors": { handle: putBucketCors, audit: "changeFolder" },
      "DELETE?cors": { handle: deleteBucketCors, audit: "changeFolder" },
      "GET?lifecycle": { handle: getBucketLifecycle },
      "PUT?lifecycle": {
        handle: putBucketLifecycle,
        audit: "changeFolder",
        headers: ["x-amz-transition-default-minimum-object-size"],
      },
      "DELETE?lifecycle": { handle: deleteBucketLifecycle, audit: "changeFolder" },
      "GET?tagging": { handle: getBucketTagging },
      "PUT?tagging": { handle: putBucketTagging, audit: "changeFolder" },
      "DELETE?tagging": { handle: deleteBucketTagging, audit: "changeFolder" },
      "PUT?versioning": { handle: putBucketVersioning },
      "GET?policy": { handle: getBucketPolicy },
      "GET?policyStatus": { handle: getBucketPolicyStatus },
      "PUT?policy": { handle: putBucketPolicy, audit: "changeFolder", headers: [CONFIRM] },
      "DELETE?policy": { handle: deleteBucketPolicy, audit: "changeFolder" },
      "GET?publicAccessBlock": { handle: getPublicAccessBlock },
      "PUT?publicAccessBlock": { handle: putPublicAccessBlock, audit: "changeFolder" },
      "DELETE?publicAccessBlock": { handle: deletePublicAccessBlock, audit: "changeFolder" },
      "GET?ownershipControls": { handle: getBucketOwnership },
      "PUT?ownershipControls": { handle: putBucketOwnership, audit: "changeFolder" },
      "DELETE?ownershipControls": { handle: deleteBucketOwnership, audit: "changeFolder" },
      "GET?encryption": { handle: getBucketEncryption },
      "PUT?encryption": {
        handle: createPutBucketEncryption(acceptsEncryption),
        audit: "changeFolder",
      },
      "DELETE?encryption": { handle: deleteBucketEncryption, audit: "changeFolder" },
      "PUT?object-lock": { handle: putObjectLock },
      ...stubs("GET", bucketStubs),
      ...stubs("PUT", unsetSettings),
      ...stubs("DELETE", bucketRemovals),
      ...stubs("DELETE", configurationRemovals, ["id"]),
    },
    object: {
      GET: getObject,
      HEAD: getObject,
      PUT: {
        handle: putObject,
        isOfContent: true,
        audit: "uploadFiles",
        headers: [...WRITE_CONDITIONS, ...DETAILS],
      },
      COPY: {
        handle: createCopyObject(readBytes),
        isOfContent: true,
        audit: "uploadFiles",
        headers: [...WRITE_CONDITIONS, ...SOURCE, ...DETAILS],
      },
      DELETE: {
        handle: deleteObject,
        audit: "deleteFiles",
        headers: REMOVAL_CONDITIONS,
        parameters: ["versionId"],
      },
      "POST?uploads": { handle: createMultipart, isOfContent: true, headers: DETAILS },
      "PUT?uploadId": { handle: uploadPart, parameters: ["partNumber"] },
      "COPY?uploadId": {
        handle: copyPart,
        headers: [...SOURCE, "x-amz-copy-source-range"],
        parameters: ["partNumber"],
      },
      "POST?uploadId": {
        handle: completeMultipart,
        audit: "uploadFiles",
        headers: [...WRITE_CONDITIONS, "x-amz-mp-object-size"],
      },
      "DELETE?uploadId": {
        handle: abortMultipart,
        headers: ["x-amz-if-match-initiated-time"],
      },
      "GET?uploadId": { handle: listParts },
      "GET?attributes": { handle: objectAttributes, headers: PARTS_PAGE },
      "GET?acl": { handle: getObjectAcl },
      "PUT?acl": {
        handle: putObjectAcl,
        audit: "changeFile",
        headers: ["x-amz-acl"],
        parameters: ["versionId"],
      },
      "GET?tagging": { handle: getObjectTagging },
      "PUT?tagging": {
        handle: putObjectTagging,
        audit: "changeFile",
        parameters: ["versionId"],
      },
      "DELETE?tagging": {
        handle: deleteObjectTagging,
        audit: "changeFile",
        parameters: ["versionId"],
      },
      "GET?retention": { handle: noObjectLock },
      "PUT?retention": { handle: putRetention, parameters: ["versionId"] },
      "GET?legal-hold": { handle: noObjectLock },
      "PUT?legal-hold": { handle: putLegalHold, parameters: ["versionId"] },
    },
  };
}

const stubs = (
  method: string,
  handlers: Readonly<Record<string, BucketHandler>>,
  parameters: readonly string[] = [],
): Record<string, S3Operation<BucketInput>> =>
  Object.fromEntries(
    Object.entries(handlers).map(([name, handle]) => [`${method}?${name}`, { handle, parameters }]),
  );
