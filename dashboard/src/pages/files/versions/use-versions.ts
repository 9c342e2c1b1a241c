import { useInfiniteQuery, useMutation, useQueryClient } from "@tanstack/react-query";
import type { FileObject, FileVersion } from "../../../../../sdk/src/holdall.ts";
import { holdall } from "../../../app/connection/client.ts";
import { showToast } from "../../../components/toast-store.ts";
import { patchFiles } from "../data/patch-folders.ts";
import { versionsKey } from "../data/refresh-details.ts";

const PAGE_SIZE = 50;

/** The versions of a file, latest first, page by page. */
export function useVersions(fileId: string) {
  const query = useInfiniteQuery({
    queryKey: versionsKey(fileId),
    initialPageParam: "",
    queryFn: ({ pageParam, signal }) =>
      holdall.files.versions(fileId, { limit: PAGE_SIZE, cursor: pageParam || undefined, signal }),
    getNextPageParam: ({ nextCursor }) => nextCursor,
    staleTime: 0,
  });
  return { ...query, versions: query.data?.pages.flatMap((page) => page.versions) };
}

/** Makes a version the content of its file. */
export function useRestoreVersion(onRestored: (file: FileObject) => void) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ id }: FileVersion) => holdall.files.restoreVersion(id),
    onSuccess: async (file) => {
      patchFiles(client, [file]);
      showToast("Restored the version. The content until now is kept as a version.");
      onRestored(file);
      await Promise.all([
        client.invalidateQueries({ queryKey: versionsKey(file.id) }),
        client.invalidateQueries({ queryKey: ["file details", file.id] }),
      ]);
    },
  });
}

/** Deletes a version permanently. */
export function useDeleteVersion(fileId: string, onDeleted: () => void) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ id }: FileVersion) => holdall.files.deleteVersions([id]),
    onSuccess: async () => {
      onDeleted();
      showToast("Deleted the version permanently.");
      await client.invalidateQueries({ queryKey: versionsKey(fileId) });
    },
  });
}
