import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import type { NewKey } from "../../../../sdk/src/holdall.ts";
import { holdall } from "../../app/client.ts";
import { Button } from "../../components/button.tsx";
import { Dialog } from "../../components/dialog.tsx";
import { Field } from "../../components/field.tsx";
import { Select } from "../../components/select.tsx";

const DAY = 86_400;

const LIFETIMES = [
  { value: "", label: "Never" },
  { value: "3600", label: "After 1 hour" },
  { value: String(DAY), label: "After 1 day" },
  { value: String(7 * DAY), label: "After 7 days" },
  { value: String(30 * DAY), label: "After 30 days" },
  { value: String(90 * DAY), label: "After 90 days" },
  { value: String(365 * DAY), label: "After 1 year" },
];

export interface CreateKeyDialogProps {
  readonly onClose: () => void;
  readonly onMade: (made: NewKey) => void;
}

export function CreateKeyDialog({ onClose, onMade }: CreateKeyDialogProps) {
  const [name, setName] = useState("");
  const [lifetime, setLifetime] = useState("");
  const client = useQueryClient();
  const create = useMutation({
    mutationFn: () =>
      holdall.keys.create(name, { expiresIn: lifetime === "" ? undefined : Number(lifetime) }),
    onSuccess: async (made) => {
      onMade(made);
      await client.invalidateQueries({ queryKey: ["keys"] });
    },
  });
  const ready = name.trim() !== "";

  return (
    <Dialog
      title="Create an API key"
      onClose={onClose}
      onSubmit={() => {
        if (ready && !create.isPending) create.mutate();
      }}
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" variant="primary" busy={create.isPending} disabled={!ready}>
            Create key
          </Button>
        </>
      }
    >
      <Field
        label="Name"
        hint="Says who uses it, such as “backup” or “website”."
        autoComplete="off"
        maxLength={100}
        value={name}
        error={create.error?.message}
        onChange={(event) => setName(event.target.value)}
      />
      <div className="flex flex-col gap-1.5">
        <label htmlFor="key-lifetime" className="font-medium text-sm">
          Ends
        </label>
        <Select id="key-lifetime" options={LIFETIMES} value={lifetime} onChange={setLifetime} />
      </div>
    </Dialog>
  );
}
