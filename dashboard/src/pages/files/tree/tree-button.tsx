import { PanelLeftOpen } from "lucide-react";
import { useState } from "react";
import { Drawer } from "../../../components/dialogs/drawer.tsx";
import { IconButton } from "../../../components/icon-button.tsx";
import { FolderTree } from "./folder-tree.tsx";

export interface TreeButtonProps {
  readonly current: string;
  readonly onOpen: (key: string) => void;
}

/** Opens the tree in a drawer, if there is no room for it beside the list. */
export function TreeButton({ current, onOpen }: TreeButtonProps) {
  const [isOpen, setOpen] = useState(false);
  return (
    <span className="-ml-2 flex-none xl:hidden">
      <IconButton label="Show folder tree" Icon={PanelLeftOpen} onClick={() => setOpen(true)} />
      <Drawer label="Folders" open={isOpen} onClose={() => setOpen(false)}>
        <div className="flex h-full flex-col">
          <h2 className="px-5 pt-5 pb-3 font-semibold">Folders</h2>
          <div className="min-h-0 flex-1 overflow-auto px-3 pb-4">
            <FolderTree
              label="Folders"
              current={current}
              mark="location"
              openTo={current}
              onSelect={({ key }) => {
                setOpen(false);
                onOpen(key);
              }}
              autoFocus
            />
          </div>
        </div>
      </Drawer>
    </span>
  );
}
