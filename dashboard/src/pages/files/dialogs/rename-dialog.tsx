import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { Button } from "../../../components/button.tsx";
import { Dialog } from "../../../components/dialogs/dialog.tsx";
import { Field } from "../../../components/fields/field.tsx";
import { stemLength } from "../../../text/split-name.ts";
import type { Changes } from "../actions/changes.ts";
import { type Entry, nameOf } from "../data/entry.ts";

export interface RenameDialogProps {
  readonly entry: Entry;
  readonly changes: Changes;
  readonly onClose: () => void;
}

/** Renames an entry where it cannot be renamed in place, as in the preview. */
export function RenameDialog({ entry, changes, onClose }: RenameDialogProps) {
  const before = nameOf(entry);
  const [name, setName] = useState(before);
  const rename = useMutation({
    mutationFn: () => changes.rename(entry, name),
    onSuccess: onClose,
  });
  const ready = name.trim() !== "" && name !== before;
  return (
    <Dialog
      title="Rename"
      onClose={onClose}
      onSubmit={() => {
        if (ready && !rename.isPending) rename.mutate();
      }}
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" variant="primary" busy={rename.isPending} disabled={!ready}>
            Rename
          </Button>
        </>
      }
    >
      <Field
        label="Name"
        autoFocus
        autoComplete="off"
        spellCheck={false}
        dir="auto"
        value={name}
        error={rename.error?.message}
        onFocus={(event) => event.target.setSelectionRange(0, stemLength(before))}
        onChange={(event) => {
          setName(event.target.value);
          rename.reset();
        }}
      />
    </Dialog>
  );
}
