import { S3Fault } from "../../domain/faults/s3-fault.ts";
import { bareEtag } from "./object-etag.ts";

/** What a write expects of the object that it replaces. */
export type WriteCondition = "absent" | "present" | { readonly etag: string };

/**
 * The condition of a put or of the completion of a multipart upload. S3Fault "NotImplemented": another
 * condition than `If-None-Match: *` or `If-Match`; "InvalidRequest": both.
 */
export function readWriteCondition(headers: Headers): WriteCondition | undefined {
  const ifMatch = headers.get("if-match");
  const ifNoneMatch = headers.get("if-none-match");
  if (ifMatch !== null && ifNoneMatch !== null) {
    throw new S3Fault("InvalidRequest", "If-Match and If-None-Match exclude each other.");
  }
  if (ifNoneMatch !== null) {
    if (ifNoneMatch.trim() === "*") return "absent";
    throw new S3Fault("NotImplemented", "A write supports only `If-None-Match: *`.");
  }
  if (ifMatch === null) return undefined;
  return ifMatch.trim() === "*" ? "present" : { etag: bareEtag(ifMatch) };
}
