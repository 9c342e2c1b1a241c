import { type FileObject, type Holdall, HoldallError } from "../../../sdk/src/holdall.ts";

/** The file with this key; undefined: there is none. */
export async function findFile(
  { files }: Holdall,
  key: string,
  signal?: AbortSignal,
): Promise<FileObject | undefined> {
  try {
    return await files.getByKey(key, { signal });
  } catch (error) {
    if (hasStatus(error, 404)) return undefined;
    throw error;
  }
}

export const hasStatus = (error: unknown, ...statuses: readonly number[]): boolean =>
  error instanceof HoldallError && statuses.includes(error.status);
