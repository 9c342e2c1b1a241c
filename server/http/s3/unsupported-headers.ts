import { S3Fault } from "../../rules/s3/s3-fault.ts";

/** Requests for these must fail: the client would rely on what the server does not do. */
const UNSUPPORTED = [
  "x-amz-server-side-encryption",
  "x-amz-server-side-encryption-customer-algorithm",
  "x-amz-copy-source-server-side-encryption-customer-algorithm",
  "x-amz-object-lock-mode",
  "x-amz-object-lock-retain-until-date",
  "x-amz-object-lock-legal-hold",
  "x-amz-bucket-object-lock-enabled",
  "x-amz-website-redirect-location",
  "x-amz-tagging",
  "x-amz-write-offset-bytes",
  "x-amz-grant-full-control",
  "x-amz-grant-read",
  "x-amz-grant-read-acp",
  "x-amz-grant-write",
  "x-amz-grant-write-acp",
];

/** S3Fault "NotImplemented": a header asks for a feature that the server does not have. */
export function rejectUnsupportedHeaders(headers: Headers): void {
  for (const name of UNSUPPORTED) {
    const value = headers.get(name);
    if (value === null || value.toLowerCase() === "false") continue;
    throw new S3Fault("NotImplemented", `The server does not support ${name}.`);
  }
}
