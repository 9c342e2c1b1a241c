import { S3Fault } from "../../domain/faults/s3-fault.ts";

/** Signature Version 2 and 4A. */
export const unsupportedVersion = (): S3Fault =>
  new S3Fault(
    "InvalidRequest",
    "The authorization mechanism you have provided is not supported. Please use AWS4-HMAC-SHA256.",
  );

/** S3Fault "InvalidToken": API keys have no session tokens. */
export function rejectSecurityToken(token: string | null | undefined): void {
  if (!token) return;
  throw new S3Fault(
    "InvalidToken",
    "The provided token is malformed or otherwise invalid: this server has no temporary credentials. Leave out the session token.",
  );
}
