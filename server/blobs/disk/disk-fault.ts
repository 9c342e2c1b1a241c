import { Fault } from "../../rules/fault.ts";

/** The system's name of an error ("ENOENT", …), or undefined when it is not the system's. */
export function errorCode(error: unknown): string | undefined {
  if (!(error instanceof Error) || !("code" in error)) return undefined;
  return typeof error.code === "string" ? error.code : undefined;
}

/** Whether an open failed for want of descriptors, so that nothing has happened yet. */
export function isShortage(error: unknown): boolean {
  const code = errorCode(error);
  return code === "EMFILE" || code === "ENFILE";
}

/**
 * What to throw in place of a file system's error: "no_space" when the volume, the quota or the
 * process's file size limit is used up, "unavailable" when no descriptor is left, and any other
 * error as it is.
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

/** For what may be absent: undefined when it is (or cannot be, below something that is no folder). */
export function unlessAbsent(error: unknown): undefined {
  const code = errorCode(error);
  if (code !== "ENOENT" && code !== "ENOTDIR") throw error;
}
