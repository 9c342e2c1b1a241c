import { Fault } from "./faults/fault.ts";
import type { Key } from "./records.ts";

/** null: no limit. */
export interface QuotaLimits {
  readonly maxBytes: number | null;
  readonly maxFiles: number | null;
}

/** The quota of a folder directly below the root. */
export interface QuotaRecord extends QuotaLimits {
  readonly folderId: string;
  readonly key: Key;
  /** The bytes of all files in the folder and of those in the trash that were deleted from it, with their versions. */
  readonly usedBytes: number;
  /** The number of these files and versions. */
  readonly usedFiles: number;
}

/** Fault "quota_exceeded": this many more bytes or files do not fit. Adding nothing is allowed above a limit too. */
export function requireRoom(
  { maxBytes, maxFiles, usedBytes, usedFiles }: Omit<QuotaRecord, "folderId" | "key">,
  { bytes, files }: { readonly bytes: number; readonly files: number },
): void {
  if (maxBytes !== null && bytes > 0 && usedBytes + bytes > maxBytes) {
    throw new Fault("quota_exceeded", explain("bytes", maxBytes, usedBytes, bytes), {
      details: { limit: maxBytes, used: usedBytes },
    });
  }
  if (maxFiles !== null && files > 0 && usedFiles + files > maxFiles) {
    throw new Fault("quota_exceeded", explain("files", maxFiles, usedFiles, files), {
      details: { limitFiles: maxFiles, usedFiles },
    });
  }
}

const explain = (what: "bytes" | "files", max: number, used: number, added: number): string =>
  `The quota of the folder is ${max} ${what}, of which ${used} are used, so ${added} more do not fit. Its trash and earlier versions count too.`;
