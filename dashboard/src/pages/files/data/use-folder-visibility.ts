import { useQuery } from "@tanstack/react-query";
import type { Visibility } from "../../../../../sdk/src/holdall.ts";
import { holdall } from "../../../app/connection/client.ts";
import { can } from "../../../rights/rights.ts";

export const folderVisibilityKey = ["folder-visibility"] as const;

const queryOf = (key: string) => ({
  queryKey: [...folderVisibilityKey, key],
  queryFn: ({ signal }: { readonly signal: AbortSignal }) =>
    holdall.folders.visibility({ key }, { signal }),
});

/** The visibility of new files in the folder, and its subfolders with a default of their own. */
export const useFolderVisibility = (key: string, enabled = true) =>
  useQuery({ ...queryOf(key), enabled: enabled && can("list") });

/**
 * The default of a folder in a list, if it has one of its own. Requests nothing: the header of the parent
 * folder has it. So search results do not show it.
 */
export const useFolderDefault = (parent: string | undefined, id: string): Visibility | undefined =>
  useQuery({
    ...queryOf(parent ?? ""),
    enabled: false,
    select: ({ folders }) =>
      parent === undefined
        ? undefined
        : folders.find((folder) => folder.id === id)?.defaultVisibility,
  }).data;
