import { useQuery } from "@tanstack/react-query";
import type { FileMetadata, FileObject } from "../../../../../sdk/src/holdall.ts";
import { holdall } from "../../../app/connection/client.ts";

export interface FileContent {
  /** In hexadecimal; null: not computed yet. */
  readonly sha256: string | null;
  readonly metadata: FileMetadata;
}

/** The digest of a file and its response headers. They are read again whenever the file changes. */
export function useFileContent(file: FileObject) {
  return useQuery<FileContent>({
    queryKey: ["file details", file.id, file.updatedAt],
    queryFn: async ({ signal }) => {
      const [{ sha256 }, metadata] = await Promise.all([
        holdall.files.digest(file.id, { signal }),
        holdall.files.metadata(file.id, { signal }),
      ]);
      return { sha256, metadata };
    },
    // Forms start with what the server has now.
    staleTime: 0,
    refetchOnWindowFocus: false,
  });
}
