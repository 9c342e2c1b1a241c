import { HoldallError } from "../../../sdk/src/connection/error.ts";

/**
 * The consequence of a failed request for the queue.
 * - interrupted: the connection or the server; try again.
 * - gone: the upload URL or the batch does not exist any more; start afresh.
 * - session, limit, full: everything waits, for the user, for a time or for free space.
 * - refused: another attempt gives the same answer.
 */
export type Failure =
  | { readonly kind: "interrupted"; readonly message: string; readonly isBusy: boolean }
  | { readonly kind: "gone"; readonly message: string }
  | { readonly kind: "session"; readonly message: string }
  | { readonly kind: "limit"; readonly message: string; readonly seconds: number }
  | { readonly kind: "full"; readonly message: string }
  | { readonly kind: "refused"; readonly message: string };

const DEFAULT_LIMIT_SECONDS = 5;

/** Interruptions of any request: no response, or a server that cannot respond now. */
const INTERRUPTED: readonly number[] = [0, 408, 502, 503, 504];
/** Further interruptions of requests to an upload URL: another offset, another writer, an unexpected error, a damaged chunk. */
const CONTINUED: readonly number[] = [409, 423, 500, 460];

const QUOTA_FULL =
  "The quota of the folder has no room for it. Delete files there and empty the trash, or ask for a larger quota.";

/** `hasUrl`: the request was for an upload URL or a batch. */
export function failureOf(error: unknown, hasUrl: "upload" | "batch" | "none"): Failure {
  const message = error instanceof Error ? error.message : String(error);
  if (!(error instanceof HoldallError)) return { kind: "refused", message };
  const { status, code, retryAfter } = error;
  if (status === 401) return { kind: "session", message };
  if (status === 429)
    return { kind: "limit", message, seconds: retryAfter ?? DEFAULT_LIMIT_SECONDS };
  // Files for other folders go on.
  if (code === "quota_exceeded") return { kind: "refused", message: QUOTA_FULL };
  if (status === 507) return { kind: "full", message };
  if (hasUrl !== "none" && (status === 404 || status === 410)) return { kind: "gone", message };
  if (INTERRUPTED.includes(status) || (hasUrl === "upload" && CONTINUED.includes(status))) {
    return { kind: "interrupted", message, isBusy: status !== 0 };
  }
  // A file is in the batch already, because a response was lost.
  if (hasUrl === "batch" && status === 409) return { kind: "interrupted", message, isBusy: true };
  return { kind: "refused", message };
}
