import { type KeyboardEvent, useEffect, useMemo, useRef, useState } from "react";
import { Button } from "../../../components/button.tsx";
import { useHomeKey } from "../../../rights/rights.ts";
import { displayName, parentKey } from "../../../text/key-parts.ts";
import type { Drop, DropFolder } from "../actions/drag.ts";
import { useSubfolders } from "../data/use-subfolders.ts";
import { treeMove } from "./tree-move.ts";
import { TreeNode } from "./tree-node.tsx";

export interface FolderTreeProps {
  readonly label: string;
  /** The key of the highlighted folder; undefined: none. */
  readonly current: string | undefined;
  /** Whether `current` is where the user is, or what was chosen. */
  readonly mark?: "location" | "choice";
  /** The key whose ancestors are initially expanded. */
  readonly openTo: string;
  readonly onSelect: (folder: DropFolder) => void;
  readonly onDrop?: Drop;
  readonly autoFocus?: boolean;
}

/** All folders, loaded as they are expanded (WAI-ARIA tree pattern). */
export function FolderTree(props: FolderTreeProps) {
  const { label, current, openTo, onSelect, onDrop, autoFocus, mark = "choice" } = props;
  const ref = useRef<HTMLDivElement>(null);
  const home = useHomeKey();
  const [open, setOpen] = useState<ReadonlySet<string>>(
    () => new Set([home, ...withAncestors(openTo)]),
  );
  const [focused, setFocused] = useState(current ?? openTo);
  const { data, error, refetch } = useSubfolders(home);
  const root = data?.folder;

  useEffect(() => {
    setOpen((before) => new Set([...before, ...withAncestors(openTo)]));
    setFocused(openTo);
  }, [openTo]);
  const ready = root !== undefined;
  useEffect(() => {
    if (autoFocus && ready) ref.current?.querySelector<HTMLElement>('[tabindex="0"]')?.focus();
  }, [autoFocus, ready]);

  const control = useMemo(
    () => ({
      open,
      current,
      mark,
      focused,
      onFocus: setFocused,
      onSelect,
      onDrop,
      onToggle: (key: string) =>
        setOpen((before) => {
          const after = new Set(before);
          if (!after.delete(key)) after.add(key);
          return after;
        }),
    }),
    [open, current, mark, focused, onSelect, onDrop],
  );

  const onKeyDown = (event: KeyboardEvent<HTMLDivElement>) => {
    const item = event.target instanceof Element ? event.target.closest("[role=treeitem]") : null;
    if (!(item instanceof HTMLElement)) return;
    const move = treeMove(event.key, item, event.currentTarget);
    if (move === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    if (move.focus !== undefined) move.focus.focus();
    if (move.select) item.click();
    if (move.toggle) control.onToggle(item.dataset.key ?? "");
  };

  if (root === undefined && error !== null) {
    return (
      <div className="flex flex-col items-start gap-2 p-2 text-muted text-sm">
        <p>Couldn't load the folders.</p>
        <Button size="sm" onClick={() => void refetch()}>
          Try again
        </Button>
      </div>
    );
  }
  return (
    <div ref={ref} role="tree" aria-label={label} onKeyDown={onKeyDown} className="select-none">
      {root && (
        <TreeNode
          folder={{ id: root.id, key: home, name: displayName(home) }}
          level={1}
          control={control}
        />
      )}
    </div>
  );
}

/** A key and the keys of all its ancestors. */
function withAncestors(key: string): string[] {
  const parent = parentKey(key);
  return parent === undefined ? [key] : [key, ...withAncestors(parent)];
}
