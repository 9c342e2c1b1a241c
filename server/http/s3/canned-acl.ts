import { S3Fault } from "../../domain/faults/s3-fault.ts";
import type { Visibility } from "../../domain/records.ts";

/** The canned ACLs that make an object private: only API keys and accounts reach it. */
const PRIVATE = new Set([
  ...["private", "bucket-owner-read", "bucket-owner-full-control", "aws-exec-read"],
]);

/** The canned ACLs of S3 that give rights to others than everyone, or the right to write. */
const OTHERS = new Set(["public-read-write", "authenticated-read", "log-delivery-write"]);

/** What `x-amz-acl` or the field `acl` asks for; null: it is left out. S3Faults: same as `parseCannedAcl`. */
export const visibilityOfAcl = (acl: string | null | undefined): Visibility | null =>
  acl === null || acl === undefined ? null : parseCannedAcl(acl);

/** S3Fault "InvalidArgument": it is none of S3's; "NotImplemented": the server has no such access. */
export function parseCannedAcl(acl: string): Visibility {
  if (PRIVATE.has(acl)) return "private";
  if (acl === "public-read") return "public";
  if (OTHERS.has(acl)) {
    throw new S3Fault("NotImplemented", `The server supports private and public-read, not ${acl}.`);
  }
  throw new S3Fault("InvalidArgument", "x-amz-acl must be private or public-read.", {
    fields: { ArgumentName: "x-amz-acl", ArgumentValue: acl.slice(0, 64).toWellFormed() },
  });
}
