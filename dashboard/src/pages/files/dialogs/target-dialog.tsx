import { FolderPlus } from "lucide-react";
import { type ReactNode, useState } from "react";
import { Button } from "../../../components/button.tsx";
import { Dialog } from "../../../components/dialogs/dialog.tsx";
import type { DropFolder } from "../actions/drag.ts";
import { FolderTree } from "../tree/folder-tree.tsx";

export interface TargetDialogProps {
  readonly title: ReactNode;
  readonly hint: string;
  /** The label of the button. */
  readonly action: string;
  /** The key of the folder that is shown at first. */
  readonly from: string;
  /** Why a folder cannot be chosen; undefined: it can. */
  readonly refusalOf: (target: DropFolder) => string | undefined;
  readonly onChoose: (target: DropFolder) => void;
  readonly onClose: () => void;
}

/** Chooses a destination in a tree; works without a mouse. */
export function TargetDialog(props: TargetDialogProps) {
  const { title, hint, action, from, refusalOf, onChoose, onClose } = props;
  const [target, setTarget] = useState<DropFolder>();
  const refusal = target && refusalOf(target);
  const possible = target !== undefined && refusal === undefined;
  return (
    <Dialog
      title={title}
      onClose={onClose}
      onSubmit={() => {
        if (!possible) return;
        onClose();
        onChoose(target);
      }}
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" variant="primary" Icon={FolderPlus} disabled={!possible}>
            {action}
          </Button>
        </>
      }
    >
      <p className="text-muted text-sm">{hint}</p>
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
        {refusal ??
          (target !== undefined && (
            <>
              To “<bdi>{target.key === "" ? "Files" : target.key}</bdi>”
            </>
          ))}
      </p>
    </Dialog>
  );
}
