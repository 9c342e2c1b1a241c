import type { UploadLedger } from "../catalog/port/uploads.ts";
import type { Fault } from "../domain/fault.ts";
import { lockedUpload, unknownUpload } from "./upload-faults.ts";

/**
 * Why a request is not the writer of an upload any more. "locked": another request wants to write;
 * "not_found": the upload was removed, for example because its key was revoked.
 */
export async function lostClaim(
  catalog: Pick<UploadLedger, "uploadById">,
  id: string,
): Promise<Fault> {
  return (await catalog.uploadById(id)) === undefined ? unknownUpload() : lockedUpload();
}
