import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { Button } from "../../../components/button.tsx";
import { Dialog } from "../../../components/dialogs/dialog.tsx";
import { Field } from "../../../components/fields/field.tsx";
import { showToast } from "../../../components/toast-store.ts";
import type { Changes } from "../actions/changes.ts";

export interface NewFolderDialogProps {
  /** The key of the parent folder. */
  readonly within: string;
  readonly changes: Changes;
  /** Called with the key of the new folder. */
  readonly onCreated: (key: string) => void;
  readonly onClose: () => void;
}

export function NewFolderDialog({ within, changes, onCreated, onClose }: NewFolderDialogProps) {
  const [name, setName] = useState("");
  const create = useMutation({
    mutationFn: () => changes.createFolder(within === "" ? name : `${within}/${name}`),
    onSuccess: (key) => {
      onCreated(key);
      showToast(`Created folder “${name}”.`);
      onClose();
    },
  });
  const ready = name.trim() !== "";
  return (
    <Dialog
      title="New folder"
      onClose={onClose}
      onSubmit={() => {
        if (ready && !create.isPending) create.mutate();
      }}
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" variant="primary" busy={create.isPending} disabled={!ready}>
            Create folder
          </Button>
        </>
      }
    >
      <Field
        label="Name"
        hint="Use slashes to create nested folders, such as photos/2026."
        autoComplete="off"
        spellCheck={false}
        dir="auto"
        value={name}
        error={create.error?.message}
        onChange={(event) => {
          setName(event.target.value);
          create.reset();
        }}
      />
    </Dialog>
  );
}
