import type { UploadLedger } from "../catalog/port/uploads.ts";
import type { Name } from "../domain/records.ts";
import type { UploadRecord } from "../domain/uploads.ts";

/**
 * Whether an upload that comes with its whole file may repeat a creation whose response was lost: the same
 * maker has stored a file of this name and size, and of the announced digest. The content decides at the end.
 */
export async function mayRepeat(
  catalog: Pick<UploadLedger, "repeatedUpload">,
  { maker, folder, length, expectedSha256 }: UploadRecord,
  { name, isWhole }: { readonly name: Name; readonly isWhole: boolean },
): Promise<boolean> {
  if (!isWhole || length === null) return false;
  const file = await catalog.repeatedUpload({ maker, folder, name, size: length });
  return file !== undefined && (expectedSha256 === null || expectedSha256 === file.sha256);
}
