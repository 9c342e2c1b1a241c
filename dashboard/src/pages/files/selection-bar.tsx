import {
  Copy,
  CopyPlus,
  Download,
  Ellipsis,
  Files,
  FolderInput,
  Link2,
  ListChecks,
  Pencil,
  Trash2,
  X,
} from "lucide-react";
import { IconButton, type IconButtonProps } from "../../components/icon-button.tsx";
import { Menu } from "../../components/menus/menu.tsx";
import type { MenuItem } from "../../components/menus/menu-item.ts";
import { formatCount } from "../../text/format-count.ts";
import { copyLabel, copyUrl } from "./actions/copy-url.ts";
import type { FilesActions } from "./actions/files-actions.ts";
import { NEEDS, needsOfCopying } from "./actions/needs.ts";
import type { Entry } from "./data/entry.ts";
import { VISIBILITIES } from "./visibility-mark.tsx";

export interface SelectionBarProps {
  readonly entries: readonly Entry[];
  readonly actions: FilesActions;
  readonly onSelectAll: () => void;
  readonly onClear: () => void;
}

/** Actions for the selection: the most frequent ones with a word where there is room, the rest in a menu. */
export function SelectionBar({ entries, actions, onSelectAll, onClear }: SelectionBarProps) {
  const [first] = entries;
  const single = entries.length === 1 ? first : undefined;
  const isFile = single?.kind === "file";
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
      {single && (
        <Action
          showsLabel="roomy"
          label="Share…"
          needs={NEEDS.share}
          Icon={Link2}
          onClick={() => actions.share(single)}
        />
      )}
      <Action
        showsLabel="roomy"
        label={isFile ? "Download" : "Download as zip"}
        needs={isFile ? NEEDS.read : NEEDS.zip}
        Icon={Download}
        onClick={() => actions.download(entries)}
      />
      <Action
        showsLabel="roomy"
        label="Move to…"
        needs={NEEDS.write}
        Icon={FolderInput}
        onClick={() => actions.move(entries)}
      />
      <Action
        label="Delete"
        needs={NEEDS.remove}
        Icon={Trash2}
        className="text-bad!"
        onClick={() => actions.remove(entries)}
      />
      <Menu
        label="More for the selection"
        items={moreFor(entries, actions, onSelectAll)}
        trigger={(props) => <Action label="More for the selection" Icon={Ellipsis} {...props} />}
      />
    </div>
  );
}

function moreFor(
  entries: readonly Entry[],
  actions: FilesActions,
  onSelectAll: () => void,
): MenuItem[] {
  const [first] = entries;
  const single = entries.length === 1 ? first : undefined;
  const file = single?.kind === "file" ? single.file : undefined;
  const copies = entries.some(({ kind }) => kind === "folder") ? NEEDS.copyFolder : NEEDS.copy;
  return [
    ...(file
      ? [
          {
            label: copyLabel(file),
            needs: needsOfCopying(file),
            Icon: Copy,
            onSelect: () => void copyUrl(file),
          },
        ]
      : []),
    ...(single
      ? [
          {
            label: "Rename",
            needs: NEEDS.write,
            Icon: Pencil,
            shortcut: "F2",
            onSelect: () => actions.rename(single),
          },
        ]
      : []),
    { label: "Copy to…", needs: copies, Icon: Files, onSelect: () => actions.copy(entries) },
    {
      label: "Duplicate",
      needs: copies,
      Icon: CopyPlus,
      onSelect: () => actions.duplicate(entries),
    },
    {
      label: "Visibility…",
      needs: NEEDS.write,
      Icon: VISIBILITIES.public.Icon,
      onSelect: () => actions.visibility(entries),
    },
    { label: "Select all", Icon: ListChecks, separated: true, onSelect: onSelectAll },
  ];
}

/** Narrower on phones, where all of them fit. */
const Action = ({ className = "", ...props }: IconButtonProps) => (
  <IconButton {...props} className={`flex-none max-sm:w-8 ${className}`} />
);
