import { S3Fault } from "../../domain/faults/s3-fault.ts";

/** The one account that owns all buckets and objects. */
export const OWNER = { ID: "holdall", DisplayName: "holdall" } as const;

/** S3Fault "AccessDenied": the client expects another owner, of the bucket or of the source of a copy. */
export function checkExpectedOwner(headers: Headers): void {
  for (const name of ["x-amz-expected-bucket-owner", "x-amz-source-expected-bucket-owner"]) {
    const expected = headers.get(name);
    if (expected !== null && expected !== OWNER.ID) {
      throw new S3Fault("AccessDenied", `The bucket does not belong to the account in ${name}.`);
    }
  }
}
