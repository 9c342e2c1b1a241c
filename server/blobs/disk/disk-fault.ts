import { Fault } from "../../rules/fault.ts";

/** The code of a system error ("ENOENT", …); undefined for other errors. */
export function errorCode(error: unknown): string | undefined {
  if (!(error instanceof Error) || !("code" in error)) return undefined;
  return typeof error.code === "string" ? error.code : undefined;
}

/** Whether an open failed for lack of a file descriptor: nothing has happened. */
export function isOutOfDescriptors(error: unknown): boolean {
  const code = errorCode(error);
  return code === "EMFILE" || code === "ENFILE";
}

/**
 * Translates a file system error: "no_space" when the volume, the quota or the file size limit is
 * exhausted, "unavailable" when no file descriptor is free. Returns other errors unchanged.
 */
export function diskFault(error: unknown): unknown {
  switch (errorCode(error)) {
    case "ENOSPC":
    case "EDQUOT":
    case "EFBIG":
      return new Fault("no_space", "There is not enough free space to store this.", {
        cause: error,
      });
    case "EMFILE":
    case "ENFILE":
      return new Fault("unavailable", "Too many files are open right now. Try again shortly.", {
        cause: error,
        retryAfter: 1,
      });
    default:
      return error;
  }
}

/** For `catch`: undefined when the path does not exist; rethrows other errors. */
export function unlessAbsent(error: unknown): undefined {
  const code = errorCode(error);
  if (code !== "ENOENT" && code !== "ENOTDIR") throw error;
}
