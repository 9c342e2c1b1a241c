import { FolderTree } from "./folder-tree.tsx";

export interface ChosenFolder {
  readonly id: string;
  readonly key: string;
}

export interface FolderPickerProps {
  /** Names the tree for screen readers. */
  readonly label: string;
  readonly folder: ChosenFolder | undefined;
  readonly onChoose: (folder: ChosenFolder) => void;
}

/** The tree of folders in a form, to choose one. */
export const FolderPicker = ({ label, folder, onChoose }: FolderPickerProps) => (
  <div className="h-48 overflow-y-auto rounded-lg border border-line p-1.5">
    <FolderTree label={label} current={folder?.key} openTo="" onSelect={onChoose} />
  </div>
);
