import type { ReactNode } from "react";
import type { FileObject } from "../../../../sdk/src/holdall.ts";
import { filePath } from "../../app/navigation/file-paths.ts";
import { Link } from "../../app/navigation/link.tsx";
import { Panel } from "../../components/panel.tsx";
import { TruncatedName } from "../../components/truncated-name.tsx";
import { parentKey } from "../../text/key-parts.ts";
import { FileKindIcon } from "../files/kind-icon.tsx";

export interface FilesPanelProps {
  readonly title: string;
  readonly files: readonly NotedFile[];
  /** Shown if there are no files. */
  readonly empty: string;
  /** Next to the title. */
  readonly aside: ReactNode;
}

export interface NotedFile {
  readonly file: FileObject;
  /** Rendered at the end of the row. */
  readonly note: ReactNode;
}

/** Files that a panel shows at first. */
export const MAX_FILES = 5;

/** A list of links to files. */
export function FilesPanel({ title, files, empty, aside }: FilesPanelProps) {
  return (
    <Panel title={title} aside={aside}>
      {files.length === 0 && <p className="text-muted">{empty}</p>}
      <ol className="-my-1.5 flex flex-col">
        {files.map(({ file, note }) => (
          <li key={file.id} className="border-line border-t first:border-t-0">
            <Link
              to={filePath(file)}
              title={file.key}
              className="-mx-2 flex items-center gap-3 rounded-md px-2 py-2 transition-colors hover:bg-hover"
            >
              <FileKindIcon file={file} className="size-5" />
              <span className="min-w-0 flex-1">
                <span className="block font-medium">
                  <TruncatedName name={file.name} />
                </span>
                <bdi className="block truncate text-muted text-sm">
                  {parentKey(file.key) || "Files"}
                </bdi>
              </span>
              <span className="flex-none text-muted text-sm tabular-nums">{note}</span>
            </Link>
          </li>
        ))}
      </ol>
    </Panel>
  );
}
