import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import type { FolderSize } from "../../../../sdk/src/holdall.ts";
import { holdall } from "../../app/client.ts";
import { formatCount } from "../../text/format-count.ts";
import { createRequestLimiter } from "./data/request-limiter.ts";
import { rowSizeKey } from "./data/use-content-size.ts";

const STALE_MS = 60_000;
/** Rows that are only scrolled past send no request. */
const SCROLL_PAUSE_MS = 150;

const limit = createRequestLimiter({ concurrency: 2, maxStarts: 100, windowMs: 60_000 });

export interface FolderSizeTextProps {
  readonly id: string;
  /** Formats the size. */
  readonly children: (size: FolderSize) => ReactNode;
  /** Shown until the size is known, and if it cannot be loaded. */
  readonly placeholder?: ReactNode;
}

/** The size of a folder's content: loaded while its row is in view, a few at a time, and cached. */
export function FolderSizeText({ id, children, placeholder }: FolderSizeTextProps) {
  const { data } = useQuery({
    queryKey: rowSizeKey(id),
    queryFn: async ({ signal }) => {
      await new Promise((resolve) => setTimeout(resolve, SCROLL_PAUSE_MS));
      return limit(() => holdall.folders.size({ id }, { signal }), signal);
    },
    staleTime: STALE_MS,
  });
  return data === undefined ? placeholder : children(data);
}

/** Formats the content of a folder: "1,204 files", "3 folders" without any files, or "empty". */
export function formatContent({ files, folders }: FolderSize): string {
  if (files === 0 && folders === 0) return "empty";
  return files === 0 ? formatCount(folders, "folder") : formatCount(files, "file");
}
