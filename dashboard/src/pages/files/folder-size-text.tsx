import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import type { FolderSize } from "../../../../sdk/src/holdall.ts";
import { formatCount } from "../../text/format-count.ts";
import { createSizeLoader } from "./data/create-size-loader.ts";
import { MEASURED_AT_ONCE, measureEach, rowSizeKey } from "./data/use-content-size.ts";

const STALE_MS = 60_000;

const loadSize = createSizeLoader({
  measure: measureEach,
  pauseMs: 150,
  maxIds: MEASURED_AT_ONCE,
});

export interface FolderSizeTextProps {
  readonly id: string;
  /** Formats the size. */
  readonly children: (size: FolderSize) => ReactNode;
  /** Shown until the size is known, and if it cannot be loaded. */
  readonly placeholder?: ReactNode;
}

/** The size of a folder's content: loaded while its row is in view, together with the sizes of other rows, and cached. */
export function FolderSizeText({ id, children, placeholder }: FolderSizeTextProps) {
  const { data } = useQuery({
    queryKey: rowSizeKey(id),
    queryFn: ({ signal }) => loadSize(id, signal),
    staleTime: STALE_MS,
  });
  return data === undefined ? placeholder : children(data);
}

/** Formats the content of a folder: "1,204 files", "3 folders" without any files, or "empty". */
export function formatContent({ files, folders }: FolderSize): string {
  if (files === 0 && folders === 0) return "empty";
  return files === 0 ? formatCount(folders, "folder") : formatCount(files, "file");
}
