import { ChevronDown } from "lucide-react";
import { Button } from "../../components/button.tsx";
import { useFolderVisibility } from "./data/use-folder-visibility.ts";
import { VISIBILITIES } from "./visibility-mark.tsx";

export interface NewFilesButtonProps {
  readonly folderKey: string;
  readonly onClick: () => void;
}

/** Says whether new files in the folder are public or private, and opens the dialog that changes it. */
export function NewFilesButton({ folderKey, onClick }: NewFilesButtonProps) {
  const { data } = useFolderVisibility(folderKey);
  if (data === undefined) return null;
  const { label, Icon } = VISIBILITIES[data.folder.effectiveVisibility];
  return (
    <Button
      size="sm"
      variant="quiet"
      Icon={Icon}
      className="text-muted!"
      aria-label={`New files: ${label}`}
      aria-haspopup="dialog"
      data-tooltip={`New files here are ${label.toLowerCase()}`}
      onClick={onClick}
    >
      {/* On phones, the name of a folder and the way back need the room. */}
      <span className={folderKey === "" ? "max-[22rem]:sr-only" : "max-sm:sr-only"}>
        <span className="max-sm:hidden">New files: </span>
        {label}
      </span>
      <ChevronDown aria-hidden className="-ml-1 size-3.5 flex-none max-sm:hidden" />
    </Button>
  );
}
