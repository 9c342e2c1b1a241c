import { type QueryClient, useQuery } from "@tanstack/react-query";
import type { FolderSize } from "../../../../../sdk/src/holdall.ts";
import { holdall, isStatus } from "../../../app/connection/client.ts";
import { createMeasureEach } from "./create-measure-each.ts";
import { type Entry, isFolder } from "./entry.ts";

export const folderSizeKey = ["folder-size"] as const;

/** The query key of the size in a folder's row. */
export const rowSizeKey = (id: string) => [...folderSizeKey, "line", id] as const;

/** The size that a folder's row shows; undefined if it has not been loaded. */
export const cachedFolderSize = (client: QueryClient, id: string): FolderSize | undefined =>
  client.getQueryData<FolderSize>(rowSizeKey(id));

/** Folders per request: a proxy may refuse longer URLs. */
export const MEASURED_AT_ONCE = 100;

/** Measures each of at most `MEASURED_AT_ONCE` folders. */
export const measureEach = createMeasureEach({
  async measure(ids, signal) {
    try {
      return (await holdall.folders.size({ ids }, { signal })).each;
    } catch (error) {
      if (isStatus(error, 404)) return undefined;
      throw error;
    }
  },
  togetherMs: 10_000,
  // Less than the timeout of a request, which would be tried again.
  aloneMs: 25_000,
});

/** The total size of the content of these folders. */
export function useContentSize(entries: readonly Entry[]) {
  const ids = entries.filter(isFolder).map(({ id }) => id);
  return useQuery({
    queryKey: [...folderSizeKey, ...ids],
    queryFn: async ({ signal }) => {
      const sum = { files: 0, folders: 0, bytes: 0 };
      for (let at = 0; at < ids.length; at += MEASURED_AT_ONCE) {
        const some = ids.slice(at, at + MEASURED_AT_ONCE);
        const { files, folders, bytes } = await holdall.folders.size({ ids: some }, { signal });
        sum.files += files;
        sum.folders += folders;
        sum.bytes += bytes;
      }
      return sum;
    },
    enabled: ids.length > 0,
    // A deletion must be confirmed with current counts.
    staleTime: 0,
  });
}

/** The size of the content of the current folder; undefined while unknown. */
export function useFolderSize(id: string | undefined) {
  return useQuery({
    queryKey: [...folderSizeKey, id],
    queryFn: ({ signal }) => holdall.folders.size({ id: id ?? "" }, { signal }),
    enabled: id !== undefined,
    staleTime: 30_000,
  });
}
