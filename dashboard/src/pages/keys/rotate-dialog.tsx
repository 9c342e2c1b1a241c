import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import type { ApiKeyObject, NewKey } from "../../../../sdk/src/holdall.ts";
import { holdall } from "../../app/client.ts";
import { Button } from "../../components/button.tsx";
import { Dialog } from "../../components/dialogs/dialog.tsx";
import { SelectField } from "../../components/fields/select-field.tsx";
import { Notice } from "../../components/notice.tsx";

export interface RotateDialogProps {
  readonly apiKey: ApiKeyObject;
  readonly onClose: () => void;
  readonly onRotated: (rotated: NewKey) => void;
}

/** For how long the old secret still works, in seconds. */
const CHOICES = [
  { value: "0", label: "Stops working at once" },
  { value: "3600", label: "Works for 1 more hour" },
  { value: "86400", label: "Works for 24 more hours" },
  { value: "604800", label: "Works for 7 more days" },
];

/** Gives a key a new secret. */
export function RotateDialog({ apiKey, onClose, onRotated }: RotateDialogProps) {
  const client = useQueryClient();
  const [keepFor, setKeepFor] = useState("86400");
  const rotate = useMutation({
    mutationFn: () => holdall.keys.rotate(apiKey.id, { oldSecretExpiresIn: Number(keepFor) }),
    onSuccess: async (rotated) => {
      onRotated(rotated);
      await client.invalidateQueries({ queryKey: ["keys"] });
    },
  });
  return (
    <Dialog
      title={
        <>
          Rotate <bdi>{apiKey.name}</bdi>
        </>
      }
      onClose={onClose}
      onSubmit={() => {
        if (!rotate.isPending) rotate.mutate();
      }}
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" variant="primary" busy={rotate.isPending}>
            Rotate key
          </Button>
        </>
      }
    >
      <p className="text-muted">
        The key gets a new secret and new S3 credentials. Its name, access and expiry stay, and so
        do the links and upload URLs made with it.
      </p>
      <SelectField
        label="Old secret"
        hint={
          keepFor === "0"
            ? "Apps that use the old secret lose access immediately."
            : "Change your apps to the new secret by then."
        }
        value={keepFor}
        options={CHOICES}
        onChange={setKeepFor}
      />
      {apiKey.oldSecretExpiresAt !== null && (
        <Notice tone="info">
          This key was rotated before, and the secret from then still works. It stops working now.
        </Notice>
      )}
      {rotate.error && <Notice tone="bad">{rotate.error.message}</Notice>}
    </Dialog>
  );
}
