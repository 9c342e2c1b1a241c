import { useQuery } from "@tanstack/react-query";
import type { VisibilityCounts } from "../../../../../sdk/src/holdall.ts";
import { holdall } from "../../../app/connection/client.ts";
import { folderVisibilityKey } from "./use-folder-visibility.ts";

/** How many public and private files there are in these folders, with their subfolders. */
export function useVisibilityCounts(ids: readonly string[]) {
  return useQuery({
    queryKey: [...folderVisibilityKey, "counts", ...ids],
    queryFn: async ({ signal }): Promise<VisibilityCounts> => {
      const files = { public: 0, private: 0 };
      const folders = { public: 0, private: 0 };
      for (const id of ids) {
        const counts = await holdall.folders.countVisibility({ id }, { signal });
        for (const each of ["public", "private"] as const) {
          files[each] += counts.files[each];
          folders[each] += counts.folders[each];
        }
      }
      return { files, folders };
    },
    enabled: ids.length > 0,
    // A change must be confirmed with current counts.
    staleTime: 0,
  });
}
