import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import type { FolderSize } from "../../../../sdk/src/holdall.ts";
import { holdall } from "../../app/client.ts";
import { countText } from "../../text/count.ts";
import { createInTurn } from "./data/in-turn.ts";
import { sizeKey } from "./data/use-content-size.ts";

const FRESH_MS = 60_000;
/** Rows that are only scrolled past send no request. */
const REST_MS = 150;

const inTurn = createInTurn();

export interface FolderFiguresProps {
  readonly id: string;
  /** Formats the size. */
  readonly children: (size: FolderSize) => ReactNode;
  /** Shown until the size is known, and if it cannot be loaded. */
  readonly before?: ReactNode;
}

/** The size of a folder's content: loaded while its row is in view, a few at a time, and cached. */
export function FolderFigures({ id, children, before }: FolderFiguresProps) {
  const { data } = useQuery({
    queryKey: [...sizeKey, "line", id],
    queryFn: async ({ signal }) => {
      await new Promise((resolve) => setTimeout(resolve, REST_MS));
      return inTurn(() => holdall.folders.size({ id }, { signal }), signal);
    },
    staleTime: FRESH_MS,
  });
  return data === undefined ? before : children(data);
}

/** Formats the content of a folder: "1,204 files", "3 folders" without any files, or "empty". */
export function contentText({ files, folders }: FolderSize): string {
  if (files === 0 && folders === 0) return "empty";
  return files === 0 ? countText(folders, "folder") : countText(files, "file");
}
