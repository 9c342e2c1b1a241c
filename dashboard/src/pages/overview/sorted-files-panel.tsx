import type { ReactNode } from "react";
import type { FileObject } from "../../../../sdk/src/holdall.ts";
import { Link } from "../../app/navigation/link.tsx";
import { FilesPanel, MAX_FILES } from "./files-panel.tsx";

export interface SortedFilesPanelProps {
  readonly title: string;
  readonly files: readonly FileObject[];
  /** The path of a list of all files in this order. */
  readonly all: string;
  /** Rendered at the end of a row. */
  readonly note: (file: FileObject) => ReactNode;
}

/** The first of all files in an order. */
export const SortedFilesPanel = ({ title, files, all, note }: SortedFilesPanelProps) => (
  <FilesPanel
    title={title}
    empty="No files yet."
    files={files.slice(0, MAX_FILES).map((file) => ({ file, note: note(file) }))}
    aside={
      files.length > MAX_FILES && (
        <Link
          to={all}
          aria-label={`All files, ${title.toLowerCase()} first`}
          className="rounded-sm text-muted text-sm underline-offset-4 hover:text-ink hover:underline"
        >
          All
        </Link>
      )
    }
  />
);
