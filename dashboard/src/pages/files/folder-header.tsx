import { FolderPlus, Menu } from "lucide-react";
import { type ReactNode, useState } from "react";
import { navigateTo } from "../../app/navigation/location.ts";
import { openNavigation } from "../../app/navigation/navigation-store.ts";
import { Button } from "../../components/button.tsx";
import { IconButton } from "../../components/icon-button.tsx";
import { can } from "../../rights/rights.ts";
import { displayName } from "../../text/key-parts.ts";
import { UploadButton } from "../../uploads/choosing/upload-button.tsx";
import type { Drop } from "./actions/drag.ts";
import { Breadcrumbs } from "./breadcrumbs.tsx";
import { NewFilesButton } from "./new-files-button.tsx";
import { SearchHeading } from "./search-heading.tsx";
import { type FilesView, isSearch } from "./state/view.ts";
import { TreeButton } from "./tree/tree-button.tsx";

export interface FolderHeaderProps {
  readonly view: FilesView;
  readonly pathOf: (key: string) => string;
  /** Whether folders and files can be added: false if the folder does not exist. */
  readonly canAdd: boolean;
  readonly onNewFolder: () => void;
  readonly onVisibility: () => void;
  readonly onDrop: Drop;
  /** The selection bar, which takes the place of everything else where there is not room for both. */
  readonly children: ReactNode;
}

/** Beside the toolbar, the selection bar takes the place of the buttons. */
const NO_ROOM_FOR_BOTH = "@6xl/files:hidden @7xl/files:flex";

/** Breadcrumbs or what was searched, the actions for the selection, and the buttons to add folders and files. */
export function FolderHeader(props: FolderHeaderProps) {
  const { view, pathOf, canAdd, onNewFolder, onVisibility, onDrop, children } = props;
  const folderKey = view.key;
  const isResult = isSearch(view);
  const [hadSelection, setHadSelection] = useState(false);
  if (children && !hadSelection) setHadSelection(true);
  const narrow = children ? "max-xl:hidden" : hadSelection ? "max-xl:animate-fade" : "";
  return (
    <header className="flex h-14 short:h-11 min-w-0 flex-1 items-center justify-between gap-2 px-4 max-sm:gap-1 sm:gap-4 md:px-6 @6xl/files:pr-3">
      <div className={`flex min-w-0 flex-1 items-center gap-1.5 max-sm:gap-0.5 ${narrow}`}>
        <IconButton
          label="Open navigation"
          Icon={Menu}
          className="-ml-2 md:hidden"
          onClick={openNavigation}
        />
        {can("list") && (
          <TreeButton current={folderKey} onOpen={(key) => navigateTo(pathOf(key))} />
        )}
        {isResult ? (
          <SearchHeading view={view} />
        ) : (
          <Breadcrumbs folderKey={folderKey} pathOf={pathOf} onDrop={onDrop} />
        )}
      </div>
      {children && (
        <h1 className="sr-only xl:hidden">
          {isResult ? "Search results" : displayName(folderKey)}
        </h1>
      )}
      {children}
      {canAdd && (
        <div
          className={`flex flex-none gap-1.5 sm:gap-2 ${narrow} ${children ? NO_ROOM_FOR_BOTH : ""}`}
        >
          {!isResult && !children && (
            <NewFilesButton folderKey={folderKey} onClick={onVisibility} />
          )}
          <Button size="sm" Icon={FolderPlus} onClick={onNewFolder} aria-label="New folder">
            <span className="hidden sm:inline @6xl/files:hidden @7xl/files:inline">New folder</span>
          </Button>
          <UploadButton folderKey={folderKey} labelClass="hidden sm:inline" />
        </div>
      )}
    </header>
  );
}
