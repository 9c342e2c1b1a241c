import { useQuery } from "@tanstack/react-query";
import type { FileObject } from "../../../../../sdk/src/holdall.ts";
import { holdall } from "../../../app/connection/client.ts";
import { parentKey } from "../../../text/key-parts.ts";
import { type Entry, isFolder } from "./entry.ts";
import { folderPeeksKey } from "./refresh-peeks.ts";

/** Folders of one list. With more, their icons must do: the response would take megabytes. */
const MAX_PEEKED = 1_000;

/** The first files of folders, by the folder's id. */
export type FolderPeeks = Readonly<Record<string, readonly FileObject[]>>;

const NONE: FolderPeeks = {};

/**
 * The first files of each folder among the entries of one folder, folders first. One request
 * loads the files of all folders.
 */
export function useFolderPeeks(entries: readonly Entry[], enabled: boolean): FolderPeeks {
  const [first] = entries;
  const key = first?.kind === "folder" ? parentKey(first.folder.key) : undefined;
  const last = entries[MAX_PEEKED];
  const isBounded = last === undefined || !isFolder(last);
  const { data = NONE } = useQuery({
    queryKey: [...folderPeeksKey, key],
    queryFn: async ({ signal }): Promise<FolderPeeks> => {
      const list = { limit: 0, peek: true, signal };
      const { folders } =
        key === undefined || key === ""
          ? await holdall.folders.root(list)
          : await holdall.folders.browse({ key }, list);
      return Object.fromEntries(folders.map(({ id, peek = [] }) => [id, peek]));
    },
    enabled: enabled && key !== undefined && isBounded,
    staleTime: 60_000,
  });
  return data;
}
