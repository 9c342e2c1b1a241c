import { S3Fault } from "../../domain/faults/s3-fault.ts";

export const STANDARD = "STANDARD";

/** Shown as a client has set them; all objects are stored in the same way. */
const SHOWN = new Set([
  STANDARD,
  ...["REDUCED_REDUNDANCY", "STANDARD_IA", "ONEZONE_IA", "INTELLIGENT_TIERING", "GLACIER_IR"],
]);

/** Clients skip objects of these classes when they read, because S3 must restore them first. */
const ARCHIVES = new Set(["GLACIER", "DEEP_ARCHIVE"]);

/** Whether S3 must restore objects of this class before it sends them. */
export const isArchive = (storageClass: string | null): boolean =>
  storageClass !== null && ARCHIVES.has(storageClass);

/**
 * The storage class that an object shows, from `x-amz-storage-class` or the field of a form. undefined:
 * STANDARD. S3Fault "InvalidStorageClass": S3 has no such class.
 */
export function readStorageClass(text: string | null | undefined): string | undefined {
  if (!text || text === STANDARD || ARCHIVES.has(text)) return undefined;
  if (SHOWN.has(text)) return text;
  throw new S3Fault(
    "InvalidStorageClass",
    `The storage class you specified is not valid. Use one of ${[...SHOWN, ...ARCHIVES].join(", ")}.`,
  );
}
