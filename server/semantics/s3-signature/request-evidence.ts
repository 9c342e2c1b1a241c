import { S3Fault } from "../../domain/s3-fault.ts";
import type { Evidence } from "./evidence.ts";
import { isPresigned, isS3Authorization } from "./evidence.ts";
import { headerEvidence } from "./header-evidence.ts";
import { queryEvidence } from "./query-evidence.ts";
import type { RequestHead } from "./request-head.ts";

/**
 * The evidence in the headers or the query of a request; undefined: it has none. S3Fault: it is
 * malformed, of another version of the signature, or in both places.
 */
export function requestEvidence(head: RequestHead): Evidence | undefined {
  const authorization = head.headers.get("authorization");
  const inQuery = isPresigned(head.query);
  if (!isS3Authorization(authorization)) return inQuery ? queryEvidence(head) : undefined;
  if (inQuery) throw twoMechanisms();
  return headerEvidence(head, authorization ?? "");
}

export const twoMechanisms = (): S3Fault =>
  new S3Fault(
    "InvalidArgument",
    "Only one auth mechanism allowed: use the Authorization header, the query of a presigned URL or a form with a policy, not several.",
  );
