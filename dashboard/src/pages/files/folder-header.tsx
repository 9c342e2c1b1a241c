import { FolderPlus } from "lucide-react";
import { Button } from "../../components/button.tsx";
import { UploadButton } from "../../uploads/upload-button.tsx";
import type { Drop } from "./actions/drag.ts";
import { Breadcrumbs } from "./breadcrumbs.tsx";

export interface FolderHeaderProps {
  readonly folderKey: string;
  readonly pathOf: (key: string) => string;
  /** Whether folders and files can be added: false if the folder does not exist. */
  readonly canAdd: boolean;
  readonly onNewFolder: () => void;
  readonly onDrop: Drop;
}

/** Breadcrumbs and the buttons to add folders and files. */
export function FolderHeader(props: FolderHeaderProps) {
  const { folderKey, pathOf, canAdd, onNewFolder, onDrop } = props;
  return (
    <header className="flex h-14 flex-none items-center justify-between gap-4 px-4 md:px-6">
      <Breadcrumbs folderKey={folderKey} pathOf={pathOf} onDrop={onDrop} />
      {canAdd && (
        <div className="flex flex-none gap-2">
          <Button size="sm" Icon={FolderPlus} onClick={onNewFolder} aria-label="New folder">
            <span className="hidden sm:inline">New folder</span>
          </Button>
          <UploadButton folderKey={folderKey} labelClass="hidden sm:inline" />
        </div>
      )}
    </header>
  );
}
