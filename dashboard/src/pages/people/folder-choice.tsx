import { type ChosenFolder, FolderPicker } from "../files/tree/folder-picker.tsx";

export interface FolderChoiceProps {
  readonly folder: ChosenFolder | undefined;
  readonly onChoose: (folder: ChosenFolder) => void;
  readonly error?: string | undefined;
}

/** The folder of a grant, chosen in a tree. The root stands for all folders. */
export function FolderChoice({ folder, onChoose, error }: FolderChoiceProps) {
  return (
    <div className="flex flex-col gap-1.5">
      <span className="font-medium text-sm">Folder</span>
      <FolderPicker label="Folder of the grant" folder={folder} onChoose={onChoose} />
      <p role="status" className="text-muted text-sm empty:hidden">
        {folder !== undefined &&
          (folder.key === "" ? (
            "All folders, also new ones."
          ) : (
            <>
              “<bdi className="break-words">{folder.key}</bdi>” and everything in it, also after it
              is renamed or moved.
            </>
          ))}
      </p>
      <p role="alert" className="text-bad text-sm empty:hidden">
        {error}
      </p>
    </div>
  );
}
