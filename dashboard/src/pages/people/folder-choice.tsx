import { FolderTree } from "../files/tree/folder-tree.tsx";

export interface ChosenFolder {
  readonly id: string;
  readonly key: string;
}

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
      <div className="h-44 overflow-y-auto rounded-lg border border-line p-1.5">
        <FolderTree
          label="Folder of the grant"
          current={folder?.key}
          openTo=""
          onSelect={onChoose}
        />
      </div>
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
