import { PanelLeftClose, PanelLeftOpen } from "lucide-react";
import { useState } from "react";
import { readStored, writeStored } from "../../../app/local-storage.ts";
import { IconButton } from "../../../components/icon-button.tsx";
import type { Drop } from "../actions/drag.ts";
import { FolderTree } from "./folder-tree.tsx";
import { TreeResizer } from "./tree-resizer.tsx";
import { storedTreeWidth, storeTreeWidth } from "./tree-width.ts";

const STORAGE_KEY = "holdall-tree";

export interface TreePanelProps {
  readonly current: string;
  readonly onOpen: (key: string) => void;
  readonly onDrop: Drop;
}

/** The collapsible folder tree, whose width can be changed, next to the list, on wide screens. */
export function TreePanel({ current, onOpen, onDrop }: TreePanelProps) {
  const [shown, setShown] = useState(() => readStored(STORAGE_KEY) !== "hidden");
  const [width, setWidth] = useState(storedTreeWidth);
  const resize = (next: number) => {
    storeTreeWidth(next);
    setWidth(next);
  };
  const toggle = () => {
    writeStored(STORAGE_KEY, shown ? "hidden" : "shown");
    setShown(!shown);
  };
  if (!shown) {
    return (
      <div className="hidden w-12 flex-none border-line border-r pt-3 pl-2 xl:block">
        <IconButton label="Show folder tree" Icon={PanelLeftOpen} onClick={toggle} />
      </div>
    );
  }
  return (
    <aside
      aria-label="Folders"
      className="relative hidden flex-none flex-col border-line border-r xl:flex"
      style={{ width }}
    >
      <div className="flex h-14 flex-none items-center justify-between pr-2 pl-4">
        <h2 className="font-medium text-muted text-sm">Folders</h2>
        <IconButton label="Hide folder tree" Icon={PanelLeftClose} onClick={toggle} />
      </div>
      <div className="min-h-0 flex-1 overflow-auto px-2 pb-4">
        <FolderTree
          label="Folders"
          current={current}
          mark="location"
          openTo={current}
          onSelect={({ key }) => onOpen(key)}
          onDrop={onDrop}
        />
      </div>
      <TreeResizer width={width} onChange={resize} />
    </aside>
  );
}
