import { Download, Eye, FolderInput, Link2, type LucideIcon, Trash2, X } from "lucide-react";
import { Button } from "../../components/button.tsx";
import { IconButton } from "../../components/icon-button.tsx";
import { formatCount } from "../../text/format-count.ts";
import type { FilesActions } from "./actions/files-actions.ts";
import type { Entry } from "./data/entry.ts";

export interface SelectionBarProps {
  readonly entries: readonly Entry[];
  readonly actions: FilesActions;
  readonly onClear: () => void;
}

/** Actions for the selection, shown in place of the toolbar. */
export function SelectionBar({ entries, actions, onClear }: SelectionBarProps) {
  const [first] = entries;
  const single = entries.length === 1 ? first : undefined;
  return (
    <div
      role="toolbar"
      aria-label="Selection"
      className="flex h-12 flex-none items-center gap-1 border-line border-b bg-accent-soft px-2 md:px-4"
    >
      <IconButton label="Clear selection" Icon={X} onClick={onClear} />
      <p role="status" className="mr-auto truncate px-1 font-medium text-sm tabular-nums">
        {formatCount(entries.length, "selected", "selected")}
      </p>
      {single && <ActionButton label="Share…" Icon={Link2} onClick={() => actions.share(single)} />}
      <ActionButton
        label={single?.kind === "file" ? "Download" : "Download as zip"}
        Icon={Download}
        onClick={() => actions.download(entries)}
      />
      <ActionButton label="Move to…" Icon={FolderInput} onClick={() => actions.move(entries)} />
      <ActionButton label="Visibility…" Icon={Eye} onClick={() => actions.visibility(entries)} />
      <ActionButton
        label="Delete"
        Icon={Trash2}
        className="text-bad!"
        onClick={() => actions.remove(entries)}
      />
    </div>
  );
}

interface ActionButtonProps {
  readonly label: string;
  readonly Icon: LucideIcon;
  readonly className?: string;
  readonly onClick: () => void;
}

/** A labelled button, reduced to its icon on narrow screens. */
const ActionButton = ({ label, Icon, className = "", onClick }: ActionButtonProps) => (
  <Button
    size="sm"
    variant="quiet"
    Icon={Icon}
    aria-label={label}
    className={`max-lg:size-9 max-lg:px-0 max-lg:[&>span]:hidden ${className}`}
    onClick={onClick}
  >
    <span>{label}</span>
  </Button>
);
