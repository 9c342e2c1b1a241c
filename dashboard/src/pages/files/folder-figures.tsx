import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import type { FolderSize } from "../../../../sdk/src/holdall.ts";
import { holdall } from "../../app/client.ts";
import { countText } from "../../text/count.ts";
import { createInTurn } from "./data/in-turn.ts";
import { sizeKey } from "./data/use-content-size.ts";

const FRESH_MS = 60_000;
/** What is only scrolled past is not asked for. */
const REST_MS = 150;

const inTurn = createInTurn();

export interface FolderFiguresProps {
  readonly id: string;
  /** How it is told, in words of about the length of `before`'s place. */
  readonly children: (size: FolderSize) => ReactNode;
  /** Stands there until it is known, and where it cannot be known. */
  readonly before?: ReactNode;
}

/** How much is in a folder: asked for while its line is in view, a few at a time, and kept. */
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

/** What there is below a folder: "1,204 files", "3 folders" where there are no files, "empty". */
export function contentText({ files, folders }: FolderSize): string {
  if (files === 0 && folders === 0) return "empty";
  return files === 0 ? countText(folders, "folder") : countText(files, "file");
}
