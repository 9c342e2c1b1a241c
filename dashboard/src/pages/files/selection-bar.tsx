import {
  Copy,
  Download,
  Eye,
  Files,
  FolderInput,
  Link2,
  type LucideIcon,
  Pencil,
  Trash2,
  X,
} from "lucide-react";
import { IconButton } from "../../components/icon-button.tsx";
import { formatCount } from "../../text/format-count.ts";
import { copyLabel, copyUrl } from "./actions/copy-url.ts";
import type { FilesActions } from "./actions/files-actions.ts";
import type { Entry } from "./data/entry.ts";

export interface SelectionBarProps {
  readonly entries: readonly Entry[];
  readonly actions: FilesActions;
  readonly onClear: () => void;
}

/** Actions for the selection. */
export function SelectionBar({ entries, actions, onClear }: SelectionBarProps) {
  const [first] = entries;
  const single = entries.length === 1 ? first : undefined;
  const file = single?.kind === "file" ? single.file : undefined;
  return (
    <div
      role="toolbar"
      aria-label="Selection"
      className="flex h-10 min-w-0 animate-rise items-center overflow-x-auto rounded-lg bg-accent-soft px-1 max-sm:px-0.5 max-xl:flex-1"
    >
      <Action label="Clear selection" Icon={X} onClick={onClear} />
      <p
        role="status"
        className="mr-1 whitespace-nowrap px-1 font-medium text-sm tabular-nums max-sm:px-0 max-xl:mr-auto"
      >
        {formatCount(entries.length, "selected", "selected")}
      </p>
      {file && <Action label={copyLabel(file)} Icon={Copy} onClick={() => void copyUrl(file)} />}
      {single && <Action label="Share…" Icon={Link2} onClick={() => actions.share(single)} />}
      <Action
        label={file ? "Download" : "Download as zip"}
        Icon={Download}
        onClick={() => actions.download(entries)}
      />
      {single && <Action label="Rename" Icon={Pencil} onClick={() => actions.rename(single)} />}
      <Action label="Move to…" Icon={FolderInput} onClick={() => actions.move(entries)} />
      <Action
        label="Copy to…"
        Icon={Files}
        // A single entry has it in its menu.
        className={single ? "max-sm:hidden" : ""}
        onClick={() => actions.copy(entries)}
      />
      <Action label="Visibility…" Icon={Eye} onClick={() => actions.visibility(entries)} />
      <Action
        label="Delete"
        Icon={Trash2}
        className="text-bad!"
        onClick={() => actions.remove(entries)}
      />
    </div>
  );
}

interface ActionProps {
  readonly label: string;
  readonly Icon: LucideIcon;
  readonly className?: string;
  readonly onClick: () => void;
}

/** Narrower on phones, where all of them fit. */
const Action = ({ className = "", ...props }: ActionProps) => (
  <IconButton {...props} className={`flex-none max-sm:w-8 ${className}`} />
);
