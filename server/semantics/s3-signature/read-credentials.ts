import { S3Fault } from "../../domain/faults/s3-fault.ts";
import { headerCredentials } from "./header-credentials.ts";
import { queryCredentials } from "./query-credentials.ts";
import type { RequestHead } from "./request-head.ts";
import { headerCredentialsV2, queryCredentialsV2 } from "./signature-v2.ts";
import type { SignedCredentials } from "./verify-signature.ts";
import { isPresigned, isS3Authorization } from "./verify-signature.ts";

/**
 * The credentials in the headers or the query of a request; undefined: there are none. S3Fault: they are
 * malformed, of another version of the signature, or in both places.
 */
export function readCredentials(
  head: RequestHead,
  { acceptsV2 = true }: SignatureVersions = {},
): SignedCredentials | undefined {
  const authorization = head.headers.get("authorization");
  const inQuery = isPresigned(head.query);
  if (!isS3Authorization(authorization)) {
    if (!inQuery) return undefined;
    const parameters = new URLSearchParams(head.query);
    if (!acceptsV2 || !parameters.has("AWSAccessKeyId")) return queryCredentials(head, parameters);
    const isV4 = Array.from(parameters.keys()).some((name) => QUERY_V4.test(name));
    if (isV4) throw twoMechanisms();
    return queryCredentialsV2(head, parameters);
  }
  if (inQuery) throw twoMechanisms();
  const isV2 = acceptsV2 && authorization?.startsWith("AWS ") === true;
  return isV2
    ? headerCredentialsV2(head, authorization)
    : headerCredentials(head, authorization ?? "");
}

export interface SignatureVersions {
  /** Default: true. */
  readonly acceptsV2?: boolean;
}

const QUERY_V4 = /^x-amz-(?:algorithm|credential|date|expires|signedheaders|signature)$/i;

export const twoMechanisms = (): S3Fault =>
  new S3Fault(
    "InvalidArgument",
    "Only one auth mechanism allowed: use the Authorization header, the query of a presigned URL or a form with a policy, not several.",
  );
