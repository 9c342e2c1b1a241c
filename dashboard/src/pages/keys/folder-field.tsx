import { Segmented } from "../../components/fields/segmented.tsx";
import { homeKey } from "../../rights/rights.ts";
import { displayName } from "../../text/key-parts.ts";
import { type ChosenFolder, FolderPicker } from "../files/tree/folder-picker.tsx";

export interface FolderFieldProps {
  readonly limited: boolean;
  readonly onLimit: (limited: boolean) => void;
  /** The folder of a limited key. */
  readonly folder: ChosenFolder | undefined;
  readonly onChoose: (folder: ChosenFolder) => void;
  readonly error: string | undefined;
}

/** A member chooses among the folders of its space. */
const options = () =>
  [
    { value: "all", label: homeKey() === "" ? "All folders" : displayName(homeKey()) },
    { value: "one", label: "One folder" },
  ] as const;

/** The place where a new key may act: everywhere, or in a folder chosen in a tree. */
export function FolderField({ limited, onLimit, folder, onChoose, error }: FolderFieldProps) {
  return (
    <div className="flex flex-col gap-1.5">
      <span className="font-medium text-sm">Folder</span>
      <Segmented
        label="Folder"
        value={limited ? "one" : "all"}
        onChange={(value) => onLimit(value === "one")}
        options={options()}
        className="self-start"
      />
      {limited && (
        <>
          <FolderPicker label="Folder of the key" folder={folder} onChoose={onChoose} />
          <p role="status" className="text-muted text-sm empty:hidden">
            {folder !== undefined && folder.key !== "" && (
              <>
                Only “<bdi className="break-words">{folder.key}</bdi>” and everything in it, also
                after it is renamed or moved.
              </>
            )}
          </p>
        </>
      )}
      <p role="alert" className="text-bad text-sm empty:hidden">
        {error}
      </p>
    </div>
  );
}
