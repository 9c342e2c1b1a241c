import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import type { KeyAction, NewKey } from "../../../../sdk/src/holdall.ts";
import { holdall } from "../../app/connection/client.ts";
import { FormDialog } from "../../components/dialogs/form-dialog.tsx";
import { ExpiryField } from "../../components/fields/expiry-field.tsx";
import { NameField } from "../../components/fields/name-field.tsx";
import { canGive } from "../../rights/can-give.ts";
import { expiryOf, validateExpiry } from "../../text/expiry.ts";
import { toLocalInputValue } from "../../text/time-zone.ts";
import type { ChosenFolder } from "../files/tree/folder-picker.tsx";
import { AccessField } from "./access-field.tsx";
import { FolderField } from "./folder-field.tsx";
import { ACCESS_PRESETS, accessOptions, CUSTOM_ACCESS } from "./key-access.ts";

export interface CreateKeyDialogProps {
  readonly onClose: () => void;
  readonly onCreated: (created: NewKey) => void;
}

const WEEK_MS = 7 * 86_400_000;

export function CreateKeyDialog({ onClose, onCreated }: CreateKeyDialogProps) {
  const [name, setName] = useState("");
  const [access, setAccess] = useState(() => accessOptions(canGive)[0]?.value ?? CUSTOM_ACCESS);
  const [customActions, setCustomActions] = useState<readonly KeyAction[]>(() =>
    (["list", "read"] as const).filter(canGive),
  );
  const [limited, setLimited] = useState(false);
  const [folder, setFolder] = useState<ChosenFolder>();
  const [expiry, setExpiry] = useState("never");
  const [customExpiry, setCustomExpiry] = useState(() =>
    toLocalInputValue(new Date(Date.now() + WEEK_MS)),
  );
  const [submitted, setSubmitted] = useState(false);
  const client = useQueryClient();
  const preset = ACCESS_PRESETS.find(({ value }) => value === access);
  const create = useMutation({
    mutationFn: () => {
      const now = new Date();
      const end = expiryOf(expiry, customExpiry, now);
      return holdall.keys.create(name, {
        actions: preset?.actions ?? customActions,
        folder: limited && folder ? { id: folder.id } : undefined,
        expiresIn: end && Math.max(1, Math.round((end.getTime() - now.getTime()) / 1_000)),
      });
    },
    onSuccess: async (created) => {
      onCreated(created);
      await client.invalidateQueries({ queryKey: ["keys"] });
    },
  });
  const errors = {
    name: name.trim() === "" ? "Enter a name." : undefined,
    access:
      access === CUSTOM_ACCESS && customActions.length === 0
        ? "Choose at least one action."
        : undefined,
    folder: limited && !folder?.key ? "Choose a folder." : undefined,
    expiry: validateExpiry(expiry, customExpiry, new Date()),
  };
  const isValid = Object.values(errors).every((error) => error === undefined);

  return (
    <FormDialog
      title="Create API key"
      onClose={onClose}
      onSubmit={() => {
        setSubmitted(true);
        if (isValid) create.mutate();
      }}
      submitLabel="Create API key"
      busy={create.isPending}
      errorText={create.error?.message}
    >
      <NameField
        hint="What uses it, such as “backup” or “website”."
        value={name}
        error={submitted ? errors.name : undefined}
        onChange={setName}
      />
      <AccessField
        choice={access}
        onChoose={setAccess}
        custom={customActions}
        onCustom={setCustomActions}
        error={submitted ? errors.access : undefined}
      />
      <FolderField
        limited={limited}
        onLimit={setLimited}
        folder={folder}
        onChoose={setFolder}
        error={submitted ? errors.folder : undefined}
      />
      <ExpiryField
        choice={expiry}
        onChoose={setExpiry}
        custom={customExpiry}
        onCustom={setCustomExpiry}
      />
    </FormDialog>
  );
}
