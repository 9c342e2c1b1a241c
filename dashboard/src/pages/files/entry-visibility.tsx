import { parentKey } from "../../text/key-parts.ts";
import type { Entry } from "./data/entry.ts";
import { useFolderDefault } from "./data/use-folder-visibility.ts";
import { VisibilityMark } from "./visibility-mark.tsx";

export interface EntryVisibilityProps {
  readonly entry: Entry;
  readonly isIcon?: boolean;
  readonly className?: string;
}

/** Whether a file is public or private. A folder says it of new files, if it has a default of its own. */
export function EntryVisibility({ entry, isIcon, className }: EntryVisibilityProps) {
  const folderDefault = useFolderDefault(
    entry.kind === "folder" ? parentKey(entry.folder.key) : undefined,
    entry.id,
  );
  if (entry.kind === "file") {
    const { visibility } = entry.file;
    return <VisibilityMark visibility={visibility} isIcon={isIcon} className={className} />;
  }
  if (folderDefault === undefined) return null;
  return (
    <VisibilityMark
      visibility={folderDefault}
      tooltip={`New files in this folder are ${folderDefault}`}
      isIcon={isIcon}
      className={className}
    />
  );
}
