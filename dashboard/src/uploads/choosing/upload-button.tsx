import { ChevronDown, FileUp, FolderUp, Link2, Upload } from "lucide-react";
import { useState } from "react";
import { lazyComponent } from "../../app/lazy-component.tsx";
import { Button } from "../../components/button.tsx";
import { Menu } from "../../components/menus/menu.tsx";
import { pickFiles, pickFolder } from "./pick-files.ts";

const FetchDialog = lazyComponent(
  async () => (await import("../fetching/fetch-dialog.tsx")).FetchDialog,
);

export interface UploadButtonProps {
  readonly folderKey: string;
  /** Classes of the visible label. */
  readonly labelClass?: string;
}

/** Uploads files or a folder to the folder with this key. */
export function UploadButton({ folderKey, labelClass }: UploadButtonProps) {
  const [isFetching, setFetching] = useState(false);
  return (
    <>
      <Menu
        label="Upload"
        items={[
          { label: "Files…", Icon: FileUp, onSelect: () => void pickFiles(folderKey) },
          { label: "Folder…", Icon: FolderUp, onSelect: () => void pickFolder(folderKey) },
          { label: "From URLs…", Icon: Link2, onSelect: () => setFetching(true) },
        ]}
        trigger={(props) => (
          <Button size="sm" variant="primary" Icon={Upload} aria-label="Upload" {...props}>
            <span className={labelClass}>Upload</span>
            <ChevronDown aria-hidden className="-mr-0.5 size-3.5" />
          </Button>
        )}
      />
      {isFetching && <FetchDialog folder={folderKey} onClose={() => setFetching(false)} />}
    </>
  );
}
