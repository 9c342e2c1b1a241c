import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import type { PasskeyObject } from "../../../../../sdk/src/holdall.ts";
import { holdall } from "../../../app/connection/client.ts";
import { FormDialog } from "../../../components/dialogs/form-dialog.tsx";
import { Field } from "../../../components/fields/field.tsx";
import { PASSKEYS_KEY } from "./use-passkeys.ts";

export interface RenamePasskeyDialogProps {
  readonly passkey: PasskeyObject;
  readonly onClose: () => void;
}

export function RenamePasskeyDialog({ passkey, onClose }: RenamePasskeyDialogProps) {
  const [name, setName] = useState(passkey.name);
  const client = useQueryClient();
  const rename = useMutation({
    mutationFn: () => holdall.account.renamePasskey(passkey.id, name),
    onSuccess: async () => {
      onClose();
      await client.invalidateQueries({ queryKey: PASSKEYS_KEY });
    },
  });
  const error = name.trim() === "" ? "Enter a name." : undefined;
  return (
    <FormDialog
      title="Rename passkey"
      onClose={onClose}
      onSubmit={() => {
        if (error === undefined) rename.mutate();
      }}
      submitLabel="Rename"
      busy={rename.isPending}
      errorText={rename.error?.message}
    >
      <Field
        label="Name"
        dir="auto"
        maxLength={100}
        autoComplete="off"
        spellCheck={false}
        required
        value={name}
        error={error}
        onChange={(event) => setName(event.target.value)}
      />
    </FormDialog>
  );
}
