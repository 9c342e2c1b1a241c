import { useQueryClient } from "@tanstack/react-query";
import { useMemo } from "react";
import { holdall } from "../../../app/connection/client.ts";
import { loadOperations } from "../../../operations/load-operations.ts";
import { refreshFolders } from "../data/patch-folders.ts";
import type { Changes } from "./changes.ts";

/** All changes of files and folders. The lists update as soon as the server has confirmed them. */
export function useChanges(): Changes {
  const client = useQueryClient();
  return useMemo<Changes>(
    () => ({
      async rename(entry, name) {
        await (await loadOperations()).renameEntry(client, entry, name);
      },
      async move(entries, folder) {
        await (await loadOperations()).moveEntries(client, entries, folder);
      },
      async copy(entries, folder) {
        await (await loadOperations()).copyEntries(client, entries, folder);
      },
      async setVisibility(entries, visibility) {
        await (await loadOperations()).setVisibility(client, entries, visibility);
      },
      async delete(entries, options) {
        await (await loadOperations()).deleteEntries(client, entries, options);
      },
      async createFolder(path) {
        const { key } = await holdall.folders.create(path);
        await refreshFolders(client);
        return key;
      },
    }),
    [client],
  );
}
