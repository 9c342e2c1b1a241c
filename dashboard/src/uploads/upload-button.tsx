import { ChevronDown, FileUp, FolderUp, Upload } from "lucide-react";
import { Button } from "../components/button.tsx";
import { Menu } from "../components/menu.tsx";
import { pickFiles, pickFolder } from "./pick.ts";

/** Uploads into the folder of this key. */
export function UploadButton({ folderKey }: { readonly folderKey: string }) {
  return (
    <Menu
      label="Upload"
      items={[
        { label: "Files…", Icon: FileUp, onSelect: () => pickFiles(folderKey) },
        { label: "Folder…", Icon: FolderUp, onSelect: () => pickFolder(folderKey) },
      ]}
      trigger={(props) => (
        <Button size="sm" variant="primary" Icon={Upload} aria-label="Upload" {...props}>
          <span className="hidden sm:inline">Upload</span>
          <ChevronDown aria-hidden className="-mr-0.5 size-3.5" />
        </Button>
      )}
    />
  );
}
