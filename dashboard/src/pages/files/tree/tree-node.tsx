// biome-ignore-all lint/a11y/useKeyWithClickEvents: folder-tree.tsx handles the keys.
// biome-ignore-all lint/a11y/noStaticElementInteractions: the toggle is for the mouse; arrow keys do the same.
import { ChevronRight } from "lucide-react";
import { useEffect, useRef } from "react";
import { DROP_TARGET, type Drop, type DropFolder, useDropTarget } from "../actions/drag.ts";
import { useSubfolders } from "../data/use-subfolders.ts";
import { FolderIcon } from "../kind-icon.tsx";
import { useDragRest } from "./use-drag-rest.ts";

export interface TreeControl {
  readonly open: ReadonlySet<string>;
  readonly current: string | undefined;
  /** The meaning of `current`. */
  readonly mark: "location" | "choice";
  readonly focused: string;
  readonly onFocus: (key: string) => void;
  readonly onSelect: (folder: DropFolder) => void;
  readonly onToggle: (key: string) => void;
  readonly onDrop: Drop | undefined;
}

/** The current location has a bar; the choice in a dialog has the tint of a selection. */
const MARKS = {
  location:
    "font-medium text-ink before:absolute before:inset-y-1.5 before:left-0 before:w-0.75 before:rounded-full before:bg-accent",
  choice: "bg-accent-soft font-medium text-ink",
} as const;

export interface TreeNodeProps {
  readonly folder: DropFolder & { readonly hasFolders?: boolean | undefined };
  readonly level: number;
  readonly control: TreeControl;
}

/** Subfolders shown per folder. */
const MAX_CHILDREN = 500;

/** Room for the toggle, the icon and some of the name, in pixels. */
const MIN_WIDTH = 120;

/** The space before a folder, in pixels. Deep levels take less, so that all fit into a narrow tree. */
const indentOf = (level: number): number =>
  Math.min(level - 1, WIDE_LEVELS) * 14 + Math.max(0, level - 1 - WIDE_LEVELS) * 3;

const WIDE_LEVELS = 5;

const noop = () => {};

export function TreeNode({ folder, level, control }: TreeNodeProps) {
  const isOpen = control.open.has(folder.key);
  const isCurrent = control.current === folder.key;
  const { data, isPending } = useSubfolders(folder.key, isOpen);
  const children = data?.folders ?? [];
  // The list of the parent may be from before a folder was created in this one.
  const isLeaf = children.length === 0 && (isOpen ? !isPending : folder.hasFolders === false);
  const drop = useDropTarget(control.onDrop && folder, control.onDrop ?? noop);
  const rest = useDragRest(() => {
    if (!isOpen) control.onToggle(folder.key);
  });
  const indent = indentOf(level);
  const name = useRef<HTMLElement>(null);
  useEffect(() => {
    // Deep folders may be outside a narrow tree.
    if (isCurrent) name.current?.scrollIntoView({ block: "nearest", inline: "nearest" });
  }, [isCurrent]);

  return (
    <>
      <div
        {...drop}
        onDragOver={(event) => {
          rest.start();
          drop.onDragOver(event);
        }}
        onDragLeave={() => {
          rest.end();
          drop.onDragLeave();
        }}
        onDrop={(event) => {
          rest.end();
          drop.onDrop(event);
        }}
        role="treeitem"
        aria-level={level}
        aria-expanded={isLeaf ? undefined : isOpen}
        aria-selected={isCurrent}
        tabIndex={control.focused === folder.key ? 0 : -1}
        data-key={folder.key}
        title={folder.name}
        onFocus={() => control.onFocus(folder.key)}
        onClick={() => control.onSelect(folder)}
        className={`relative flex h-8 pointer-coarse:h-11 cursor-pointer items-center gap-1 rounded-md pr-2 text-sm transition-colors hover:bg-press focus-visible:-outline-offset-2 data-over:-outline-offset-2 ${DROP_TARGET} ${isCurrent ? MARKS[control.mark] : "text-muted"}`}
        style={{ paddingLeft: `${indent}px`, minWidth: `${indent + MIN_WIDTH}px` }}
      >
        <span
          onClick={(event) => {
            event.stopPropagation();
            control.onToggle(folder.key);
          }}
          className={`grid size-7 flex-none place-items-center ${isLeaf ? "invisible" : ""}`}
        >
          <ChevronRight
            aria-hidden
            className={`size-3.5 transition-transform ${isOpen ? "rotate-90" : ""}`}
          />
        </span>
        <FolderIcon className="mr-1 size-4" />
        <bdi ref={name} className="truncate">
          {folder.name}
        </bdi>
      </div>
      {children.slice(0, isOpen ? MAX_CHILDREN : 0).map((child) => (
        <TreeNode key={child.id} folder={child} level={level + 1} control={control} />
      ))}
      {isOpen && children.length > MAX_CHILDREN && (
        <p
          className="py-1 text-muted text-xs"
          style={{ paddingLeft: `${indentOf(level + 1) + 28}px` }}
        >
          and {(children.length - MAX_CHILDREN).toLocaleString()} more
        </p>
      )}
    </>
  );
}
