import { ChevronRight, Folder, FolderOpen } from "lucide-react";
import { type Drop, type DropFolder, useDropTarget } from "../actions/drag.ts";
import { useSubfolders } from "../data/use-subfolders.ts";

export interface TreeControl {
  readonly open: ReadonlySet<string>;
  readonly current: string;
  readonly focused: string;
  readonly onFocus: (key: string) => void;
  readonly onChoose: (folder: DropFolder) => void;
  readonly onToggle: (key: string) => void;
  readonly onDrop: Drop | undefined;
}

export interface TreeNodeProps {
  readonly folder: DropFolder;
  readonly level: number;
  readonly control: TreeControl;
}

/** More would be a page of its own. */
const MOST = 500;

const nothing = () => {};

export function TreeNode({ folder, level, control }: TreeNodeProps) {
  const isOpen = control.open.has(folder.key);
  const isCurrent = control.current === folder.key;
  const { data, isPending } = useSubfolders(folder.key, isOpen);
  const children = data?.folders ?? [];
  // Whether there is something to open is known once it has been opened.
  const isLeaf = isOpen && !isPending && children.length === 0;
  const drop = useDropTarget(control.onDrop && folder, control.onDrop ?? nothing);
  const Icon = isOpen && !isLeaf ? FolderOpen : Folder;

  return (
    <div
      role="treeitem"
      aria-label={folder.name}
      aria-level={level}
      aria-expanded={isLeaf ? undefined : isOpen}
      aria-selected={isCurrent}
      tabIndex={control.focused === folder.key ? 0 : -1}
      data-key={folder.key}
      onFocus={(event) => {
        if (event.target === event.currentTarget) control.onFocus(folder.key);
      }}
      className="outline-none [&:focus-visible>div:first-child]:outline-2 [&:focus-visible>div:first-child]:outline-accent"
    >
      <div
        {...drop}
        title={folder.name}
        className={`flex h-8 items-center rounded-md pr-2 transition-colors hover:bg-press data-over:bg-accent-soft data-over:outline-2 data-over:outline-accent ${isCurrent ? "bg-accent-soft font-medium text-ink" : "text-muted"}`}
        style={{ paddingLeft: `${(level - 1) * 14}px` }}
      >
        <button
          type="button"
          tabIndex={-1}
          aria-hidden
          onClick={() => control.onToggle(folder.key)}
          className={`grid size-7 flex-none place-items-center ${isLeaf ? "invisible" : ""}`}
        >
          <ChevronRight className={`size-3.5 transition-transform ${isOpen ? "rotate-90" : ""}`} />
        </button>
        <button
          type="button"
          tabIndex={-1}
          data-choose
          onClick={() => control.onChoose(folder)}
          className="flex h-full min-w-0 flex-1 items-center gap-2 text-left text-sm"
        >
          <Icon
            aria-hidden
            strokeWidth={1.75}
            className={`size-4 flex-none ${isCurrent ? "text-accent" : "text-faint"}`}
          />
          <bdi className="truncate">{folder.name}</bdi>
        </button>
      </div>
      {isOpen && children.length > 0 && (
        <div role="group">
          {children.slice(0, MOST).map((child) => (
            <TreeNode key={child.id} folder={child} level={level + 1} control={control} />
          ))}
          {children.length > MOST && (
            <p className="py-1 text-muted text-xs" style={{ paddingLeft: `${level * 14 + 28}px` }}>
              and {(children.length - MOST).toLocaleString()} more
            </p>
          )}
        </div>
      )}
    </div>
  );
}
