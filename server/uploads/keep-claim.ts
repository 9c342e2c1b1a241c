import { type UploadLedger, WRITER_SECONDS } from "../catalog/port/uploads.ts";
import type { Fault } from "../domain/faults/fault.ts";
import type { UploadsDeps } from "./deps.ts";
import type { RunningWriter } from "./running-writers.ts";
import { lockedUpload, unknownUpload } from "./upload-faults.ts";

/**
 * Renews the claim of an upload until the returned function is called. Stops the writer when another
 * process asks for it, or the upload is removed.
 */
export function keepClaim(
  { catalog, onError }: Pick<UploadsDeps, "catalog" | "onError">,
  claim: { readonly id: string; readonly epoch: number },
  writer: RunningWriter,
): () => void {
  async function renew(): Promise<void> {
    try {
      if (!(await catalog.renewUpload(claim.id, claim.epoch))) {
        writer.stop(await lostClaim(catalog, claim.id));
      }
    } catch (cause) {
      // The claim lasts for several renewals.
      onError("Could not renew the claim of an upload", cause);
    }
  }

  const timer = setInterval(() => void renew(), RENEW_MS);
  timer.unref();
  return () => clearInterval(timer);
}

/** A second writer is let in within this time. */
const RENEW_MS = Math.min(1000, (WRITER_SECONDS * 1000) / 5);

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
