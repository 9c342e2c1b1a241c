import { ChevronDown, FileUp, FolderUp, Upload } from "lucide-react";
import { Button } from "../../components/button.tsx";
import { Menu } from "../../components/menus/menu.tsx";
import { pickFiles, pickFolder } from "./pick-files.ts";

export interface UploadButtonProps {
  readonly folderKey: string;
  /** Classes of the visible label. */
  readonly labelClass?: string;
}

/** Uploads files or a folder to the folder with this key. */
export function UploadButton({ folderKey, labelClass }: UploadButtonProps) {
  return (
    <Menu
      label="Upload"
      items={[
        { label: "Files…", Icon: FileUp, onSelect: () => void pickFiles(folderKey) },
        { label: "Folder…", Icon: FolderUp, onSelect: () => void pickFolder(folderKey) },
      ]}
      trigger={(props) => (
        <Button size="sm" variant="primary" Icon={Upload} aria-label="Upload" {...props}>
          <span className={labelClass}>Upload</span>
          <ChevronDown aria-hidden className="-mr-0.5 size-3.5" />
        </Button>
      )}
    />
  );
}
