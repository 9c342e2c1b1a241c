import { Fault } from "../../domain/faults/fault.ts";
import { createThrottledReport } from "../../lib/throttled-report.ts";
import type { OnTrouble } from "../driver.ts";

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

/** Errors of the device or of its file system, whatever was asked of it. */
const DEVICE_ERRORS = new Set(["EIO", "EREMOTEIO", "EUCLEAN", "EBADMSG", "ESTALE"]);

/**
 * As `diskFault`, for a server: an error of the device is "unavailable". `onTrouble` gets it, at most
 * once a minute for each kind.
 */
export function createDiskFaults(onTrouble: OnTrouble): (error: unknown) => unknown {
  const report = createThrottledReport(onTrouble);
  return (error) => {
    const code = errorCode(error);
    if (!(error instanceof Error) || code === undefined || !DEVICE_ERRORS.has(code))
      return diskFault(error);
    const call = "syscall" in error ? String(error.syscall) : "";
    report(`${code} ${call}`, `The disk of the blobs has failed: ${error.message}`);
    return new Fault("unavailable", "The disk has reported an error. Try again later.", {
      cause: error,
      retryAfter: 5,
    });
  };
}

/** For `catch`: undefined when the path does not exist; rethrows other errors. */
export function unlessAbsent(error: unknown): undefined {
  const code = errorCode(error);
  if (code !== "ENOENT" && code !== "ENOTDIR") throw error;
}
