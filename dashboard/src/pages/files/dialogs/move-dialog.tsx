import { FolderPlus } from "lucide-react";
import { useState } from "react";
import { Button } from "../../../components/button.tsx";
import { Dialog } from "../../../components/dialog.tsx";
import { canDrop, type DropFolder } from "../actions/drag.ts";
import type { Changes } from "../actions/use-changes.ts";
import type { Entry } from "../data/entry.ts";
import { FolderTree } from "../tree/folder-tree.tsx";
import { EntriesLabel } from "./entries-label.tsx";

export interface MoveDialogProps {
  readonly entries: readonly Entry[];
  /** The key of the folder that the entries are in. */
  readonly from: string;
  readonly changes: Changes;
  readonly onClose: () => void;
}

/** Chooses a destination in a tree; works without a mouse. */
export function MoveDialog({ entries, from, changes, onClose }: MoveDialogProps) {
  const [target, setTarget] = useState<DropFolder>();
  const possible = target !== undefined && canDrop(entries, target);
  return (
    <Dialog
      title={
        <>
          Move <EntriesLabel entries={entries} />
        </>
      }
      onClose={onClose}
      onSubmit={() => {
        if (!possible) return;
        onClose();
        void changes.move(entries, target);
      }}
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" variant="primary" Icon={FolderPlus} disabled={!possible}>
            Move here
          </Button>
        </>
      }
    >
      <p id="move-hint" className="text-muted text-sm">
        Choose a destination. Moving changes the URLs, and existing links will stop working.
      </p>
      <div className="h-72 overflow-auto rounded-lg border border-line p-1.5">
        <FolderTree
          label="Folders"
          current={target?.key ?? from}
          onSelect={setTarget}
          openTo={from}
          autoFocus
        />
      </div>
      <p role="status" className="min-h-5 text-muted text-sm">
        {target !== undefined &&
          (possible ? (
            <>
              To “<bdi>{target.key === "" ? "Files" : target.key}</bdi>”
            </>
          ) : (
            "Already here, or inside a folder that you are moving."
          ))}
      </p>
    </Dialog>
  );
}
