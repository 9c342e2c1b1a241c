import type { AuditedOperation } from "../../../contract/activity.ts";
import type { KeyAction } from "../../../contract/key-actions.ts";

/*
 * The operations of the S3 API as data, as `contract/` has those of the REST API. Handlers are typed by their
 * rows: one that needs an action which its row does not name is an error of the compiler.
 */

/** The rights that a caller needs for an operation. */
export interface S3Permission<Subject extends S3Subject = S3Subject> {
  /** All of them are needed. None: everybody who sees the bucket may call it. */
  readonly actions: readonly KeyAction[];
  /** An action that suffices as well. */
  readonly or?: KeyAction;
  /** The subject to look up before a caller without the actions is refused: one that it does not see is missing. */
  readonly subject: Subject;
}

export type S3Subject = BucketSubject | ObjectSubject;

/** "nothing": the request names nothing that exists already. */
export type BucketSubject = "nothing" | "bucket";

export type ObjectSubject =
  | "bucket"
  | "object"
  /** The bucket, and the object that a copy reads. */
  | "source"
  /** The multipart upload. */
  | "upload"
  /** The multipart upload, and the object that a copy reads. */
  | "upload and source";

export interface S3Operation<Subject extends S3Subject = S3Subject> {
  readonly permission: S3Permission<Subject>;
  /** The entry in the audit log; left out: none. */
  readonly audit?: AuditedOperation;
  /** It sends an object: traffic counts it. */
  readonly isDelivery?: true;
  /** It reads or stores content, so that the client may ask how that is encrypted. */
  readonly isOfContent?: true;
  /** The headers `x-amz-…` and `if-…` that it evaluates. Others that mean something are refused. */
  readonly headers?: readonly string[];
  /** The query parameters of a request that changes something, besides the subresource. */
  readonly parameters?: readonly string[];
}

/** Everybody who sees the bucket. */
const ANY = { actions: [], subject: "bucket" } as const;
const LIST = { actions: ["list"], subject: "bucket" } as const;
const READ = { actions: ["read"], subject: "object" } as const;
/** The request stores something in the bucket. */
const STORE = { actions: ["write"], subject: "bucket" } as const;
const CHANGE = { actions: ["write"], subject: "object" } as const;
const REMOVE = { actions: ["discard"], subject: "bucket" } as const;
const UPLOAD = { actions: ["write"], subject: "upload" } as const;
/** Rules delete, and the folders may contain what the caller could not delete itself. */
const RULES = { actions: ["write", "delete"], subject: "bucket" } as const;

/** A bucket's setting that can be read, but never has a value. */
const UNSET = { permission: ANY } as const;
/** A change of a bucket's setting. */
const SETTING = { permission: STORE, audit: "changeFolder" } as const;
const GET_OBJECT = { permission: READ, isDelivery: true, isOfContent: true } as const;
/** The removal of a configuration that buckets have by an id. */
const BY_ID = { permission: ANY, parameters: ["id"] } as const;

/** Headers that set properties besides the content. */
const DETAILS = ["x-amz-acl", "x-amz-tagging"] as const;
const WRITE_CONDITIONS = ["if-match", "if-none-match"] as const;
const SOURCE = [
  "x-amz-copy-source",
  "x-amz-copy-source-if-match",
  "x-amz-copy-source-if-modified-since",
  "x-amz-copy-source-if-none-match",
  "x-amz-copy-source-if-unmodified-since",
] as const;
const REMOVAL_CONDITIONS = [
  "if-match",
  "x-amz-if-match-last-modified-time",
  "x-amz-if-match-size",
] as const;
/** A policy takes no rights from the client that sets it. */
const CONFIRM = "x-amz-confirm-remove-self-bucket-access";
const PARTS_PAGE = [
  "x-amz-max-parts",
  "x-amz-object-attributes",
  "x-amz-part-number-marker",
] as const;

/**
 * Every operation of the S3 API that the server has: by what the URL names, then by the method, and the subresource after a
 * question mark. "COPY": PUT with `x-amz-copy-source`. `form`: the upload form of browsers.
 */
export const s3Operations = {
  service: { GET: { permission: { actions: ["list"], subject: "nothing" } } },
  bucket: {
    PUT: {
      permission: { actions: ["write"], subject: "nothing" },
      audit: "createFolder",
      headers: ["x-amz-acl", "x-amz-object-ownership"],
    },
    HEAD: { permission: ANY },
    DELETE: { permission: { actions: ["delete"], subject: "bucket" }, audit: "deleteFolder" },
    GET: { permission: LIST },
    "GET?versions": { permission: LIST },
    "GET?uploads": { permission: LIST },
    "POST?delete": { permission: REMOVE, audit: "deleteFiles" },
    "GET?acl": { permission: ANY },
    "PUT?acl": { ...SETTING, headers: ["x-amz-acl"] },
    "GET?cors": { permission: ANY },
    "PUT?cors": SETTING,
    "DELETE?cors": SETTING,
    "GET?lifecycle": { permission: ANY },
    "PUT?lifecycle": {
      permission: RULES,
      audit: "changeFolder",
      headers: ["x-amz-transition-default-minimum-object-size"],
    },
    "DELETE?lifecycle": { permission: RULES, audit: "changeFolder" },
    "GET?tagging": { permission: ANY },
    "PUT?tagging": SETTING,
    "DELETE?tagging": SETTING,
    "GET?policy": { permission: ANY },
    "GET?policyStatus": { permission: ANY },
    "PUT?policy": { ...SETTING, headers: [CONFIRM] },
    "DELETE?policy": SETTING,
    "GET?publicAccessBlock": { permission: ANY },
    "PUT?publicAccessBlock": SETTING,
    "DELETE?publicAccessBlock": SETTING,
    "GET?ownershipControls": { permission: ANY },
    "PUT?ownershipControls": SETTING,
    "DELETE?ownershipControls": SETTING,
    "GET?encryption": { permission: ANY },
    "PUT?encryption": SETTING,
    "DELETE?encryption": SETTING,
    "GET?location": UNSET,
    "GET?versioning": UNSET,
    "PUT?versioning": UNSET,
    "GET?accelerate": UNSET,
    "PUT?accelerate": UNSET,
    "GET?logging": UNSET,
    "PUT?logging": UNSET,
    "GET?notification": UNSET,
    "PUT?notification": UNSET,
    "GET?requestPayment": UNSET,
    "PUT?requestPayment": UNSET,
    "GET?website": UNSET,
    "PUT?website": UNSET,
    "DELETE?website": UNSET,
    "GET?object-lock": UNSET,
    "PUT?object-lock": UNSET,
    "GET?replication": UNSET,
    "PUT?replication": UNSET,
    "DELETE?replication": UNSET,
    "GET?abac": UNSET,
    "GET?analytics": UNSET,
    "DELETE?analytics": BY_ID,
    "GET?intelligent-tiering": UNSET,
    "DELETE?intelligent-tiering": BY_ID,
    "GET?inventory": UNSET,
    "DELETE?inventory": BY_ID,
    "GET?metrics": UNSET,
    "DELETE?metrics": BY_ID,
  },
  object: {
    GET: GET_OBJECT,
    HEAD: GET_OBJECT,
    PUT: {
      permission: STORE,
      isOfContent: true,
      audit: "uploadFiles",
      headers: [...WRITE_CONDITIONS, ...DETAILS],
    },
    COPY: {
      permission: { actions: ["read", "write"], subject: "source" },
      isOfContent: true,
      audit: "uploadFiles",
      headers: [...WRITE_CONDITIONS, ...SOURCE, ...DETAILS],
    },
    DELETE: {
      permission: REMOVE,
      audit: "deleteFiles",
      headers: REMOVAL_CONDITIONS,
      parameters: ["versionId"],
    },
    "POST?uploads": { permission: STORE, isOfContent: true, headers: DETAILS },
    "PUT?uploadId": { permission: UPLOAD, parameters: ["partNumber"] },
    "COPY?uploadId": {
      permission: { actions: ["read", "write"], subject: "upload and source" },
      headers: [...SOURCE, "x-amz-copy-source-range"],
      parameters: ["partNumber"],
    },
    "POST?uploadId": {
      permission: UPLOAD,
      audit: "uploadFiles",
      headers: [...WRITE_CONDITIONS, "x-amz-mp-object-size"],
    },
    "DELETE?uploadId": { permission: UPLOAD, headers: ["x-amz-if-match-initiated-time"] },
    // Clients list the parts of an upload to complete it.
    "GET?uploadId": { permission: { actions: ["list"], or: "write", subject: "upload" } },
    "GET?attributes": { permission: READ, headers: PARTS_PAGE },
    "GET?acl": { permission: READ },
    "PUT?acl": {
      permission: { actions: ["read", "write"], subject: "object" },
      audit: "changeFile",
      headers: ["x-amz-acl"],
      parameters: ["versionId"],
    },
    "GET?tagging": { permission: READ },
    "PUT?tagging": { permission: CHANGE, audit: "changeFile", parameters: ["versionId"] },
    "DELETE?tagging": { permission: CHANGE, audit: "changeFile", parameters: ["versionId"] },
    "GET?retention": { permission: READ },
    "PUT?retention": { permission: READ, parameters: ["versionId"] },
    "GET?legal-hold": { permission: READ },
    "PUT?legal-hold": { permission: READ, parameters: ["versionId"] },
  },
  form: { POST: { permission: STORE, audit: "uploadFiles", isOfContent: true } },
} as const satisfies {
  readonly service: Rows<"nothing">;
  readonly bucket: Rows<BucketSubject>;
  readonly object: Rows<ObjectSubject>;
  readonly form: Rows<"bucket">;
};

type Rows<Subject extends S3Subject> = Readonly<Record<string, S3Operation<Subject>>>;

/** The actions that the row of an operation names. */
export type ActionsOf<Row extends S3Operation> = Row["permission"]["actions"][number];
