import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import type { KeyAction } from "../../../../sdk/src/holdall.ts";
import { holdall } from "../../app/connection/client.ts";
import { FormDialog } from "../../components/dialogs/form-dialog.tsx";
import { NameField } from "../../components/fields/name-field.tsx";
import { type ChosenFolder, FolderPicker } from "../files/tree/folder-picker.tsx";
import type { CreateKeyDialogProps } from "./create-key-dialog.tsx";

/** Nothing that cannot be undone, and nothing that gives others access. */
const AGENT_ACTIONS: readonly KeyAction[] = ["list", "read", "write", "discard"];
const AGENT_DAYS = 30;

/** Creates a key with the few rights that an agent needs, in one folder. */
export function AgentKeyDialog({ onClose, onCreated }: CreateKeyDialogProps) {
  const [name, setName] = useState("Agent");
  const [folder, setFolder] = useState<ChosenFolder>();
  const [submitted, setSubmitted] = useState(false);
  const client = useQueryClient();
  const create = useMutation({
    mutationFn: (id: string) =>
      holdall.keys.create(name, {
        actions: [...AGENT_ACTIONS],
        folder: { id },
        expiresIn: AGENT_DAYS * 86_400,
      }),
    onSuccess: async (created) => {
      onCreated(created);
      await client.invalidateQueries({ queryKey: ["keys"] });
    },
  });
  const nameError = name.trim() === "" ? "Enter a name." : undefined;
  const hasFolder = folder !== undefined && folder.key !== "";

  return (
    <FormDialog
      title="Key for an agent"
      onClose={onClose}
      onSubmit={() => {
        setSubmitted(true);
        if (nameError === undefined && hasFolder) create.mutate(folder.id);
      }}
      submitLabel="Create key"
      busy={create.isPending}
      errorText={create.error?.message}
    >
      <p className="text-muted">
        With this key, an agent such as Claude or Cursor can list, read and write files in one
        folder, at <code className="font-mono text-xs">/mcp</code>. What it deletes or replaces can
        be brought back, and it cannot share anything. It ends after {AGENT_DAYS} days. Create a
        folder in Files first if there is none for it.
      </p>
      <div className="flex flex-col gap-1.5">
        <span className="font-medium text-sm">Folder</span>
        <FolderPicker label="Folder of the key" folder={folder} onChoose={setFolder} />
        <p role="alert" className="text-bad text-sm empty:hidden">
          {submitted && !hasFolder && "Choose a folder."}
        </p>
      </div>
      <NameField
        hint="Shown in the activity of what the agent does."
        value={name}
        error={submitted ? nameError : undefined}
        onChange={setName}
      />
    </FormDialog>
  );
}
