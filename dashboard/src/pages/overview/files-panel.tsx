import type { ReactNode } from "react";
import type { FileObject } from "../../../../sdk/src/holdall.ts";
import { filePath } from "../../app/file-paths.ts";
import { Link } from "../../app/link.tsx";
import { Panel } from "../../components/panel.tsx";
import { TruncatedName } from "../../components/truncated-name.tsx";
import { parentKey } from "../../text/key-parts.ts";
import { FileKindIcon } from "../files/kind-icon.tsx";

export interface FilesPanelProps {
  readonly title: string;
  readonly files: readonly FileObject[];
  /** The path of a list of all files in this order. */
  readonly all: string;
  /** Rendered at the end of a row. */
  readonly note: (file: FileObject) => ReactNode;
}

const MAX_FILES = 5;

/** A list of links to files. */
export function FilesPanel({ title, files, all, note }: FilesPanelProps) {
  return (
    <Panel
      title={title}
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
    >
      {files.length === 0 && <p className="text-muted">No files yet.</p>}
      <ol className="-my-1.5 flex flex-col">
        {files.slice(0, MAX_FILES).map((file) => (
          <li key={file.id} className="border-line border-t first:border-t-0">
            <Link
              to={filePath(file)}
              title={file.key}
              className="-mx-2 flex items-center gap-3 rounded-md px-2 py-2 transition-colors hover:bg-hover"
            >
              <FileKindIcon mimeType={file.mimeType} className="size-5" />
              <span className="min-w-0 flex-1">
                <span className="block font-medium">
                  <TruncatedName name={file.name} />
                </span>
                <bdi className="block truncate text-muted text-sm">
                  {parentKey(file.key) || "Files"}
                </bdi>
              </span>
              <span className="flex-none text-muted text-sm tabular-nums">{note(file)}</span>
            </Link>
          </li>
        ))}
      </ol>
    </Panel>
  );
}
