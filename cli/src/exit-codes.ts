import { HoldallError } from "../../sdk/src/holdall.ts";
import { ConfigError } from "../../server/config/config.ts";
import { UsageError } from "../../server/terminal/usage-error.ts";
import { triedOut } from "./tried-out.ts";

/** Exit codes of the remote commands. They are an API: see docs/command-line.md. */
export const exitCodes = {
  done: 0,
  /** The server refused something, or a part of the work failed. */
  failed: 1,
  /** The arguments, HOLDALL_URL or HOLDALL_KEY are wrong. */
  usage: 2,
  /** The server cannot be reached, is overloaded or is not ready. The same command may work later. */
  unavailable: 3,
  notFound: 4,
  /** A download does not have the digest that the server gave. It was removed. */
  digest: 5,
  /** SIGINT. */
  interrupted: 130,
  /** SIGTERM. */
  terminated: 143,
} as const;

const UNAVAILABLE = new Set([0, 429, 502, 503, 504]);

/** Whether the same request may succeed later. */
export const isUnavailable = (error: unknown): error is HoldallError =>
  error instanceof HoldallError && triedOut(error) === undefined && UNAVAILABLE.has(error.status);

const DISK_CODES = new Set<unknown>(["ENOSPC", "EDQUOT", "EROFS"]);

/** Whether every further file would fail too: because of the server, the API key or the local disk. */
export const endsEverything = (error: unknown): boolean =>
  isUnavailable(error) ||
  (error instanceof HoldallError && error.status === 401) ||
  (error instanceof Error && "code" in error && DISK_CODES.has(error.code));

/** A download that does not have the digest that the server gave. */
export class DigestError extends Error {
  override readonly name = "DigestError";
}

export function exitCodeOf(error: unknown): number {
  if (triedOut(error) !== undefined) return exitCodes.done;
  if (error instanceof UsageError || error instanceof ConfigError) return exitCodes.usage;
  if (error instanceof DigestError) return exitCodes.digest;
  if (isUnavailable(error)) return exitCodes.unavailable;
  const status = error instanceof HoldallError ? error.status : undefined;
  if (status === 401) return exitCodes.usage;
  return status === 404 ? exitCodes.notFound : exitCodes.failed;
}

/** The exit code of several failures: theirs if they agree, otherwise `failed`; of none: `done`. */
export function combineExitCodes(codes: ReadonlySet<number>): number {
  const [first = exitCodes.done, ...others] = codes;
  return others.length === 0 ? first : exitCodes.failed;
}
