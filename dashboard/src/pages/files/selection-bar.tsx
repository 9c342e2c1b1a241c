import { Download, Eye, FolderInput, Link2, Trash2, X } from "lucide-react";
import { IconButton } from "../../components/icon-button.tsx";
import { countText } from "../../text/count.ts";
import type { FilesActions } from "./actions/files-actions.ts";
import type { Entry } from "./data/entry.ts";

export interface SelectionBarProps {
  readonly entries: readonly Entry[];
  readonly actions: FilesActions;
  readonly onClear: () => void;
}

/** What can be done with what is chosen, in the place of the toolbar. */
export function SelectionBar({ entries, actions, onClear }: SelectionBarProps) {
  const [first] = entries;
  const single = entries.length === 1 && first?.kind === "file" ? first.file : undefined;
  return (
    <div
      role="toolbar"
      aria-label="Selection"
      className="flex h-12 flex-none items-center gap-1 border-line border-b bg-accent-soft px-2 md:px-4"
    >
      <IconButton label="Clear the selection" Icon={X} onClick={onClear} />
      <p role="status" className="mr-auto truncate px-1 font-medium text-sm tabular-nums">
        {countText(entries.length, "selected", "selected")}
      </p>
      {single && <IconButton label="Get link" Icon={Link2} onClick={() => actions.link(single)} />}
      <IconButton
        label={single ? "Download" : "Download as zip"}
        Icon={Download}
        onClick={() => actions.download(entries)}
      />
      <IconButton label="Move to…" Icon={FolderInput} onClick={() => actions.move(entries)} />
      <IconButton label="Visibility…" Icon={Eye} onClick={() => actions.visibility(entries)} />
      <IconButton
        label="Delete…"
        Icon={Trash2}
        className="text-bad hover:text-bad"
        onClick={() => actions.remove(entries)}
      />
    </div>
  );
}
