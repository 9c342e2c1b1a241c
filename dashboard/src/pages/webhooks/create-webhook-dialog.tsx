import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import type { CreatedWebhook } from "../../../../sdk/src/webhooks-only.ts";
import { FormDialog } from "../../components/dialogs/form-dialog.tsx";
import { Field } from "../../components/fields/field.tsx";
import { NameField } from "../../components/fields/name-field.tsx";
import { SelectField } from "../../components/fields/select-field.tsx";
import type { ChosenFolder } from "../files/tree/folder-picker.tsx";
import { FolderField } from "../keys/folder-field.tsx";
import { KIND_CHOICES } from "./webhook-kinds.ts";
import { webhooks as webhooksClient } from "./webhooks-client.ts";

export interface CreateWebhookDialogProps {
  readonly onClose: () => void;
  readonly onCreated: (created: CreatedWebhook) => void;
}

export function CreateWebhookDialog({ onClose, onCreated }: CreateWebhookDialogProps) {
  const [name, setName] = useState("");
  const [url, setUrl] = useState("");
  const [choice, setChoice] = useState("all");
  const [limited, setLimited] = useState(false);
  const [folder, setFolder] = useState<ChosenFolder>();
  const [submitted, setSubmitted] = useState(false);
  const client = useQueryClient();
  const create = useMutation({
    mutationFn: () =>
      webhooksClient.create({
        name,
        url,
        kinds: KIND_CHOICES.find(({ value }) => value === choice)?.kinds ?? [],
        folderId: limited ? folder?.id : undefined,
      }),
    onSuccess: async (created) => {
      onCreated(created);
      await client.invalidateQueries({ queryKey: ["webhooks"] });
    },
  });
  const errors = {
    name: name.trim() === "" ? "Enter a name." : undefined,
    url: /^https?:\/\/./.test(url)
      ? undefined
      : "Enter a URL that begins with http:// or https://.",
    folder: limited && !folder?.key ? "Choose a folder." : undefined,
  };
  const isValid = Object.values(errors).every((error) => error === undefined);

  return (
    <FormDialog
      title="Create webhook"
      onClose={onClose}
      onSubmit={() => {
        setSubmitted(true);
        if (isValid) create.mutate();
      }}
      submitLabel="Create webhook"
      busy={create.isPending}
      errorText={create.error?.message}
    >
      <NameField
        hint="What receives the changes, such as “website”."
        value={name}
        error={submitted ? errors.name : undefined}
        onChange={setName}
      />
      <Field
        label="URL"
        hint="An address inside your network must be in OUTGOING_ALLOW."
        type="url"
        autoComplete="off"
        placeholder="https://app.example.com/api/holdall"
        value={url}
        error={submitted ? errors.url : undefined}
        onChange={(event) => setUrl(event.target.value)}
      />
      <SelectField
        label="Events"
        hint="Programs can choose each type."
        value={choice}
        options={KIND_CHOICES}
        onChange={setChoice}
      />
      <FolderField
        limited={limited}
        onLimit={setLimited}
        folder={folder}
        onChoose={setFolder}
        error={submitted ? errors.folder : undefined}
      />
    </FormDialog>
  );
}
