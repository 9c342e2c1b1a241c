import type { Authorized } from "../../domain/callers/authorize.ts";
import type { KeyAction } from "../../domain/records.ts";
import type { FileService } from "../../files/file-service.ts";
import type { ReadBytes } from "../../files/read.ts";
import type { Audited } from "./audited.ts";
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
import { bucketStubs, noConfiguration, nothingToRemove } from "./handlers/stubs.ts";
import { unsetSettings } from "./handlers/unset-settings.ts";
import type { S3Deps } from "./s3-deps.ts";
import type { BucketInput, ObjectInput, S3Input } from "./s3-input.ts";
import type { ActionsOf, S3Operation, s3Operations } from "./s3-operations.ts";

export interface HandlerDeps extends Pick<S3Deps, "send" | "onSend" | "now" | "acceptsEncryption"> {
  readonly readBytes: ReadBytes;
  readonly files: Pick<FileService, "change">;
}

type Rows = typeof s3Operations;
type Handle<Input> = (input: Input) => Promise<Response | Audited>;
/** The caller that a handler gets: it has the actions that the operation's row names, or the one that suffices as well. */
type CallerFor<Row extends S3Operation> =
  | Authorized<ActionsOf<Row>>
  | (Row extends { permission: { or: infer Other extends KeyAction } } ? Authorized<Other> : never);

/** A handler for each row. */
export interface S3Handlers {
  readonly service: {
    [Name in keyof Rows["service"]]: Handle<S3Input<CallerFor<Rows["service"][Name]>>>;
  };
  readonly bucket: {
    [Name in keyof Rows["bucket"]]: Handle<BucketInput<CallerFor<Rows["bucket"][Name]>>>;
  };
  readonly object: {
    [Name in keyof Rows["object"]]: Handle<ObjectInput<CallerFor<Rows["object"][Name]>>>;
  };
}

export function createHandlers({ readBytes, files, ...deps }: HandlerDeps): S3Handlers {
  const getObject = createGetObject(deps);
  return {
    service: { GET: listBuckets },
    bucket: {
      PUT: createBucket,
      HEAD: headBucket,
      DELETE: deleteBucket,
      GET: listObjects,
      "GET?versions": listVersions,
      "GET?uploads": listUploads,
      "POST?delete": deleteObjects,
      "GET?acl": getBucketAcl,
      "PUT?acl": putBucketAcl,
      "GET?cors": getBucketCors,
      "PUT?cors": putBucketCors,
      "DELETE?cors": deleteBucketCors,
      "GET?lifecycle": getBucketLifecycle,
      "PUT?lifecycle": putBucketLifecycle,
      "DELETE?lifecycle": deleteBucketLifecycle,
      "GET?tagging": getBucketTagging,
      "PUT?tagging": putBucketTagging,
      "DELETE?tagging": deleteBucketTagging,
      "PUT?versioning": putBucketVersioning,
      "GET?policy": getBucketPolicy,
      "GET?policyStatus": getBucketPolicyStatus,
      "PUT?policy": putBucketPolicy,
      "DELETE?policy": deleteBucketPolicy,
      "GET?publicAccessBlock": getPublicAccessBlock,
      "PUT?publicAccessBlock": putPublicAccessBlock,
      "DELETE?publicAccessBlock": deletePublicAccessBlock,
      "GET?ownershipControls": getBucketOwnership,
      "PUT?ownershipControls": putBucketOwnership,
      "DELETE?ownershipControls": deleteBucketOwnership,
      "GET?encryption": getBucketEncryption,
      "PUT?encryption": createPutBucketEncryption(deps.acceptsEncryption),
      "DELETE?encryption": deleteBucketEncryption,
      "PUT?object-lock": putObjectLock,
      ...bucketStubs,
      ...unsetSettings,
      "DELETE?replication": nothingToRemove,
      "DELETE?website": nothingToRemove,
      "DELETE?analytics": noConfiguration,
      "DELETE?intelligent-tiering": noConfiguration,
      "DELETE?inventory": noConfiguration,
      "DELETE?metrics": noConfiguration,
    },
    object: {
      GET: getObject,
      HEAD: getObject,
      PUT: putObject,
      COPY: createCopyObject(readBytes),
      DELETE: deleteObject,
      "POST?uploads": createMultipart,
      "PUT?uploadId": uploadPart,
      "COPY?uploadId": copyPart,
      "POST?uploadId": completeMultipart,
      "DELETE?uploadId": abortMultipart,
      "GET?uploadId": listParts,
      "GET?attributes": objectAttributes,
      "GET?acl": getObjectAcl,
      "PUT?acl": createPutObjectAcl(files),
      "GET?tagging": getObjectTagging,
      "PUT?tagging": putObjectTagging,
      "DELETE?tagging": deleteObjectTagging,
      "GET?retention": noObjectLock,
      "PUT?retention": putRetention,
      "GET?legal-hold": noObjectLock,
      "PUT?legal-hold": putLegalHold,
    },
  };
}
