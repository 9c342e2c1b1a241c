import type { s3Operations } from "../../server/http/s3/s3-operations.ts";
import { sha256 } from "./sign-request.ts";

/** A bucket, with an object and an unfinished upload in it; or names of nothing. */
export interface S3Target {
  readonly bucket: string;
  /** The folder in the bucket. */
  readonly folder: string;
  readonly uploadId: string;
  /** The ETag of the upload's only part. */
  readonly partEtag: string;
}

export interface S3Call {
  readonly method: string;
  readonly path: string;
  readonly query?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  /** A POST form, which has its own signature. */
  readonly form?: { readonly bucket: string; readonly key: string };
}

/** A request of an operation. `other`: what a copy has at its other end. */
export interface S3Case {
  readonly call: (target: S3Target, other: S3Target) => S3Call;
  /** The status for callers that may do it. Default: 200. */
  readonly status?: number;
  /** The status for callers that are limited to the bucket. Default: `status`. */
  readonly limitedStatus?: number;
}

type Tables = typeof s3Operations;
type Cases = {
  readonly [Kind in keyof Tables]: {
    readonly [Name in keyof Tables[Kind]]: readonly [S3Case, ...S3Case[]];
  };
};

type BucketOperation = keyof Tables["bucket"];

export const OBJECT = "file.txt";
const bucketPath = ({ bucket }: S3Target): string => `/${bucket}`;
const objectPath = ({ bucket, folder }: S3Target, name: string = OBJECT): string =>
  `/${bucket}/${folder}/${name}`;
const split = (operation: string): [string, string] => {
  const [method = "", query = ""] = operation.split("?");
  return [method === "COPY" ? "PUT" : method, query];
};

/** A request about the bucket. */
function bucketCase(operation: BucketOperation, status = 200, more: Partial<S3Call> = {}) {
  const [method, query] = split(operation);
  return [
    { status, call: (target: S3Target) => ({ method, path: bucketPath(target), query, ...more }) },
  ] as const;
}

/** A request about the object. */
function objectCase(operation: keyof Tables["object"], status = 200, more: Partial<S3Call> = {}) {
  const [method, query] = split(operation);
  return [
    { status, call: (target: S3Target) => ({ method, path: objectPath(target), query, ...more }) },
  ] as const;
}

/** A request about the multipart upload. */
function uploadCase(
  operation: keyof Tables["object"],
  status: number,
  more: (target: S3Target, other: S3Target) => Partial<S3Call>,
) {
  const [method] = split(operation);
  const call = (target: S3Target, other: S3Target) => ({
    method,
    path: objectPath(target, "parts"),
    query: `uploadId=${encodeURIComponent(target.uploadId)}`,
    ...more(target, other),
  });
  return { status, call };
}

const copyFrom = (source: S3Target) => ({
  headers: { "x-amz-copy-source": objectPath(source) },
});

/** A document with its checksum, which some operations require. */
function xml(root: string, content: string): Pick<S3Call, "body" | "headers"> {
  const body = `<${root}>${content}</${root}>`;
  const checksum = Buffer.from(sha256(body), "hex").toString("base64");
  return { body, headers: { "x-amz-checksum-sha256": checksum } };
}

/** At least one request of each operation. */
export const s3Cases: Cases = {
  service: { GET: [{ call: () => ({ method: "GET", path: "/" }) }] },
  bucket: {
    PUT: bucketCase("PUT"),
    HEAD: bucketCase("HEAD"),
    // It has objects. Nobody removes the folder that limits it.
    DELETE: [
      {
        status: 409,
        limitedStatus: 403,
        call: (target) => ({ method: "DELETE", path: bucketPath(target) }),
      },
    ],
    GET: bucketCase("GET"),
    "GET?versions": bucketCase("GET?versions"),
    "GET?uploads": bucketCase("GET?uploads"),
    "POST?delete": [
      {
        call: (target) => ({
          method: "POST",
          path: bucketPath(target),
          query: "delete=",
          ...xml("Delete", `<Object><Key>${target.folder}/${OBJECT}</Key></Object>`),
        }),
      },
    ],
    "GET?acl": bucketCase("GET?acl"),
    "PUT?acl": bucketCase("PUT?acl", 200, { headers: { "x-amz-acl": "private" } }),
    "GET?cors": bucketCase("GET?cors", 404),
    "PUT?cors": bucketCase(
      "PUT?cors",
      200,
      xml(
        "CORSConfiguration",
        "<CORSRule><AllowedOrigin>*</AllowedOrigin><AllowedMethod>GET</AllowedMethod></CORSRule>",
      ),
    ),
    "DELETE?cors": bucketCase("DELETE?cors", 204),
    "GET?lifecycle": bucketCase("GET?lifecycle", 404),
    "PUT?lifecycle": bucketCase(
      "PUT?lifecycle",
      200,
      xml(
        "LifecycleConfiguration",
        "<Rule><ID>a</ID><Status>Enabled</Status><Filter><Prefix>far/</Prefix></Filter><Expiration><Days>9</Days></Expiration></Rule>",
      ),
    ),
    "DELETE?lifecycle": bucketCase("DELETE?lifecycle", 204),
    "GET?tagging": bucketCase("GET?tagging", 404),
    "PUT?tagging": bucketCase(
      "PUT?tagging",
      200,
      xml("Tagging", "<TagSet><Tag><Key>a</Key><Value>b</Value></Tag></TagSet>"),
    ),
    "DELETE?tagging": bucketCase("DELETE?tagging", 204),
    "GET?policy": bucketCase("GET?policy", 404),
    "GET?policyStatus": bucketCase("GET?policyStatus", 404),
    "PUT?policy": [
      {
        status: 204,
        call: (target) => ({
          method: "PUT",
          path: bucketPath(target),
          query: "policy=",
          body: JSON.stringify({
            Version: "2012-10-17",
            Statement: [
              {
                Effect: "Allow",
                Principal: "*",
                Action: "s3:ListBucket",
                Resource: `arn:aws:s3:::${target.bucket}`,
              },
            ],
          }),
        }),
      },
    ],
    "DELETE?policy": bucketCase("DELETE?policy", 204),
    "GET?publicAccessBlock": bucketCase("GET?publicAccessBlock", 404),
    "PUT?publicAccessBlock": bucketCase(
      "PUT?publicAccessBlock",
      200,
      xml("PublicAccessBlockConfiguration", "<BlockPublicAcls>false</BlockPublicAcls>"),
    ),
    "DELETE?publicAccessBlock": bucketCase("DELETE?publicAccessBlock", 204),
    "GET?ownershipControls": bucketCase("GET?ownershipControls", 404),
    "PUT?ownershipControls": bucketCase(
      "PUT?ownershipControls",
      200,
      xml("OwnershipControls", "<Rule><ObjectOwnership>ObjectWriter</ObjectOwnership></Rule>"),
    ),
    "DELETE?ownershipControls": bucketCase("DELETE?ownershipControls", 204),
    "GET?encryption": bucketCase("GET?encryption", 404),
    "PUT?encryption": bucketCase(
      "PUT?encryption",
      200,
      xml(
        "ServerSideEncryptionConfiguration",
        "<Rule><ApplyServerSideEncryptionByDefault><SSEAlgorithm>AES256</SSEAlgorithm></ApplyServerSideEncryptionByDefault></Rule>",
      ),
    ),
    "DELETE?encryption": bucketCase("DELETE?encryption", 204),
    "GET?location": bucketCase("GET?location"),
    "GET?versioning": bucketCase("GET?versioning"),
    "PUT?versioning": bucketCase(
      "PUT?versioning",
      200,
      xml("VersioningConfiguration", "<Status>Suspended</Status>"),
    ),
    "GET?accelerate": bucketCase("GET?accelerate"),
    "PUT?accelerate": bucketCase(
      "PUT?accelerate",
      200,
      xml("AccelerateConfiguration", "<Status>Suspended</Status>"),
    ),
    "GET?logging": bucketCase("GET?logging"),
    "PUT?logging": bucketCase("PUT?logging", 200, xml("BucketLoggingStatus", "")),
    "GET?notification": bucketCase("GET?notification"),
    "PUT?notification": bucketCase("PUT?notification", 200, xml("NotificationConfiguration", "")),
    "GET?requestPayment": bucketCase("GET?requestPayment"),
    "PUT?requestPayment": bucketCase(
      "PUT?requestPayment",
      200,
      xml("RequestPaymentConfiguration", "<Payer>BucketOwner</Payer>"),
    ),
    "GET?website": bucketCase("GET?website", 404),
    "PUT?website": bucketCase("PUT?website", 501, xml("WebsiteConfiguration", "")),
    "DELETE?website": bucketCase("DELETE?website", 204),
    "GET?object-lock": bucketCase("GET?object-lock", 404),
    "PUT?object-lock": bucketCase("PUT?object-lock", 409, xml("ObjectLockConfiguration", "")),
    "GET?replication": bucketCase("GET?replication", 404),
    "PUT?replication": bucketCase("PUT?replication", 400, xml("ReplicationConfiguration", "")),
    "DELETE?replication": bucketCase("DELETE?replication", 204),
    "GET?abac": bucketCase("GET?abac"),
    "GET?analytics": bucketCase("GET?analytics"),
    "DELETE?analytics": bucketCase("DELETE?analytics", 404, { query: "analytics=&id=a" }),
    "GET?intelligent-tiering": bucketCase("GET?intelligent-tiering"),
    "DELETE?intelligent-tiering": bucketCase("DELETE?intelligent-tiering", 404, {
      query: "id=a&intelligent-tiering=",
    }),
    "GET?inventory": bucketCase("GET?inventory"),
    "DELETE?inventory": bucketCase("DELETE?inventory", 404, { query: "id=a&inventory=" }),
    "GET?metrics": bucketCase("GET?metrics"),
    "DELETE?metrics": bucketCase("DELETE?metrics", 404, { query: "id=a&metrics=" }),
  },
  object: {
    GET: objectCase("GET"),
    HEAD: objectCase("HEAD"),
    PUT: objectCase("PUT", 200, { body: "x" }),
    COPY: [
      {
        call: (target, other) => ({
          method: "PUT",
          path: objectPath(target, "copy.txt"),
          ...copyFrom(other),
        }),
      },
      {
        call: (target, other) => ({
          method: "PUT",
          path: objectPath(other, "copy.txt"),
          ...copyFrom(target),
        }),
      },
    ],
    DELETE: objectCase("DELETE", 204),
    "POST?uploads": objectCase("POST?uploads"),
    "PUT?uploadId": [
      uploadCase("PUT?uploadId", 200, ({ uploadId }) => ({
        query: `partNumber=2&uploadId=${encodeURIComponent(uploadId)}`,
        body: "x",
      })),
    ],
    "COPY?uploadId": [
      uploadCase("COPY?uploadId", 200, ({ uploadId }, other) => ({
        query: `partNumber=2&uploadId=${encodeURIComponent(uploadId)}`,
        ...copyFrom(other),
      })),
      uploadCase("COPY?uploadId", 200, (target, other) => ({
        path: objectPath(other, "parts"),
        query: `partNumber=2&uploadId=${encodeURIComponent(other.uploadId)}`,
        ...copyFrom(target),
      })),
    ],
    "POST?uploadId": [
      uploadCase("POST?uploadId", 200, ({ partEtag }) => ({
        body: `<CompleteMultipartUpload><Part><PartNumber>1</PartNumber><ETag>${partEtag}</ETag></Part></CompleteMultipartUpload>`,
      })),
    ],
    "DELETE?uploadId": [uploadCase("DELETE?uploadId", 204, () => ({}))],
    "GET?uploadId": [uploadCase("GET?uploadId", 200, () => ({}))],
    "GET?attributes": objectCase("GET?attributes", 200, {
      headers: { "x-amz-object-attributes": "ETag" },
    }),
    "GET?acl": objectCase("GET?acl"),
    "PUT?acl": objectCase("PUT?acl", 200, { headers: { "x-amz-acl": "private" } }),
    "GET?tagging": objectCase("GET?tagging"),
    "PUT?tagging": objectCase(
      "PUT?tagging",
      200,
      xml("Tagging", "<TagSet><Tag><Key>a</Key><Value>b</Value></Tag></TagSet>"),
    ),
    "DELETE?tagging": objectCase("DELETE?tagging", 204),
    "GET?retention": objectCase("GET?retention", 400),
    "PUT?retention": objectCase("PUT?retention", 400, xml("Retention", "")),
    "GET?legal-hold": objectCase("GET?legal-hold", 400),
    "PUT?legal-hold": objectCase("PUT?legal-hold", 400, xml("LegalHold", "")),
  },
  form: {
    POST: [
      {
        status: 204,
        call: (target) => ({
          method: "POST",
          path: bucketPath(target),
          form: { bucket: target.bucket, key: `${target.folder}/form.txt` },
        }),
      },
    ],
  },
};
