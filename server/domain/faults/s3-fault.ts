import { Fault, type FaultKind, type FaultOptions } from "./fault.ts";

/** The error codes of the S3 API, with the status that each has. */
const S3_ERROR_STATUS = {
  AccessControlListNotSupported: 400,
  AccessDenied: 403,
  AccessForbidden: 403,
  AuthorizationHeaderMalformed: 400,
  AuthorizationQueryParametersError: 400,
  BadDigest: 400,
  BadRequest: 400,
  BucketAlreadyExists: 409,
  BucketAlreadyOwnedByYou: 409,
  BucketNotEmpty: 409,
  EntityTooLarge: 400,
  EntityTooSmall: 400,
  ExistingObjectIsDirectory: 409,
  IncompleteBody: 400,
  InsufficientStorage: 507,
  InternalError: 500,
  InvalidAccessKeyId: 403,
  InvalidArgument: 400,
  InvalidBucketAclWithObjectOwnership: 400,
  InvalidBucketName: 400,
  InvalidBucketState: 409,
  InvalidDigest: 400,
  InvalidEncryptionAlgorithmError: 400,
  InvalidPart: 400,
  InvalidPartOrder: 400,
  InvalidPolicyDocument: 400,
  InvalidRange: 416,
  InvalidRequest: 400,
  InvalidStorageClass: 400,
  InvalidTag: 400,
  InvalidToken: 400,
  InvalidURI: 400,
  KeyTooLongError: 400,
  MalformedPolicy: 400,
  MalformedPOSTRequest: 400,
  MalformedTrailerError: 400,
  MalformedXML: 400,
  MetadataTooLarge: 400,
  MethodNotAllowed: 405,
  MissingContentLength: 411,
  NoSuchBucket: 404,
  NoSuchBucketPolicy: 404,
  NoSuchConfiguration: 404,
  NoSuchCORSConfiguration: 404,
  NoSuchKey: 404,
  NoSuchLifecycleConfiguration: 404,
  NoSuchPublicAccessBlockConfiguration: 404,
  NoSuchTagSet: 404,
  NoSuchUpload: 404,
  NoSuchVersion: 404,
  NoSuchWebsiteConfiguration: 404,
  NotImplemented: 501,
  ObjectLockConfigurationNotFoundError: 404,
  ObjectParentIsFile: 409,
  OperationAborted: 409,
  OwnershipControlsNotFoundError: 404,
  PreconditionFailed: 412,
  QuotaExceeded: 403,
  RequestTimeout: 400,
  RequestTimeTooSkewed: 403,
  ReplicationConfigurationNotFoundError: 404,
  ServerSideEncryptionConfigurationNotFoundError: 404,
  ServiceUnavailable: 503,
  SignatureDoesNotMatch: 403,
  SlowDown: 503,
  XAmzContentSHA256Mismatch: 400,
} as const;

export type S3ErrorCode = keyof typeof S3_ERROR_STATUS;

const KINDS: Readonly<Record<number, FaultKind>> = {
  403: "forbidden",
  404: "not_found",
  409: "conflict",
  412: "precondition_failed",
  413: "too_large",
  416: "range_not_satisfiable",
  503: "unavailable",
  507: "no_space",
};

export interface S3FaultOptions extends FaultOptions {
  /** More elements of the `Error` document, by name. */
  readonly fields?: Readonly<Record<string, string>>;
}

/** An error that has a code of its own in the S3 API. */
export class S3Fault extends Fault {
  readonly s3Code: S3ErrorCode;
  readonly status: number;
  readonly fields: Readonly<Record<string, string>>;

  constructor(s3Code: S3ErrorCode, message: string, options: S3FaultOptions = {}) {
    const status = S3_ERROR_STATUS[s3Code];
    super(KINDS[status] ?? "invalid", message, options);
    this.name = "S3Fault";
    this.s3Code = s3Code;
    this.status = status;
    this.fields = options.fields ?? {};
  }
}

export const noSuchBucket = (bucket: string): S3Fault =>
  new S3Fault("NoSuchBucket", "The specified bucket does not exist.", {
    fields: { BucketName: bucket.slice(0, 255).toWellFormed() },
  });

/** `objectKey`: the key without the bucket, if the request has one for this object. */
export const noSuchKey = (objectKey?: string): S3Fault =>
  new S3Fault("NoSuchKey", "The specified key does not exist.", {
    fields: objectKey === undefined ? {} : { Key: objectKey.slice(0, 1024).toWellFormed() },
  });
