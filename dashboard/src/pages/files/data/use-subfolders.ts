import { useQuery } from "@tanstack/react-query";
import { holdall } from "../../../app/connection/client.ts";
import { can } from "../../../rights/rights.ts";
import { sortByName } from "../../../text/name-order.ts";

export const subfoldersKey = ["subfolders"] as const;

/** A folder and its direct subfolders, for trees. */
export function useSubfolders(key: string, enabled = true) {
  return useQuery({
    queryKey: [...subfoldersKey, key],
    queryFn: async ({ signal }) => {
      const list = { limit: 0, hasFolders: true, signal };
      const { folder, folders } =
        key === "" ? await holdall.folders.root(list) : await holdall.folders.browse({ key }, list);
      return { folder, folders: sortByName(folders) };
    },
    enabled: enabled && can("list"),
    staleTime: 60_000,
  });
}
