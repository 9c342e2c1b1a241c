import { HoldallError } from "../../../../sdk/src/connection/error.ts";
import type { FileObject, Holdall } from "../../../../sdk/src/holdall.ts";

/**
 * The file with this key; undefined: there is none. Lists the files with its name, because browsers
 * write each 404 to the console.
 */
export async function findFile(
  { files }: Holdall,
  key: string,
  signal?: AbortSignal,
): Promise<FileObject | undefined> {
  const name = key.slice(key.lastIndexOf("/") + 1);
  for await (const file of files.each({ name, signal })) if (file.key === key) return file;
  return undefined;
}

export const hasStatus = (error: unknown, ...statuses: readonly number[]): boolean =>
  error instanceof HoldallError && statuses.includes(error.status);
