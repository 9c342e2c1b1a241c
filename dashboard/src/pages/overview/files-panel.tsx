import type { ReactNode } from "react";
import type { FileObject } from "../../../../sdk/src/holdall.ts";
import { filePath } from "../../app/file-paths.ts";
import { Link } from "../../app/link.tsx";
import { Panel } from "../../components/panel.tsx";
import { TruncatedName } from "../../components/truncated-name.tsx";
import { parentKey } from "../../text/key-parts.ts";

export interface FilesPanelProps {
  readonly title: string;
  readonly files: readonly FileObject[];
  /** Rendered at the end of a row. */
  readonly note: (file: FileObject) => ReactNode;
}

/** A list of links to files. */
export function FilesPanel({ title, files, note }: FilesPanelProps) {
  return (
    <Panel title={title}>
      {files.length === 0 && <p className="text-muted">No files yet.</p>}
      <ol className="-my-1.5 flex flex-col">
        {files.map((file) => (
          <li key={file.id} className="border-line border-t first:border-t-0">
            <Link
              to={filePath(file)}
              title={file.key}
              className="-mx-2 flex items-center gap-4 rounded-md px-2 py-2 transition-colors hover:bg-hover"
            >
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
