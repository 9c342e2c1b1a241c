import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useId, useState } from "react";
import type { NewKey } from "../../../../sdk/src/holdall.ts";
import { holdall } from "../../app/client.ts";
import { Button } from "../../components/button.tsx";
import { Dialog } from "../../components/dialog.tsx";
import { Field } from "../../components/field.tsx";
import { Select } from "../../components/select.tsx";
import { formatTimeZone, toLocalInputValue } from "../../text/time-zone.ts";
import { formatFullTimestamp } from "../../text/timestamp.ts";
import { EXPIRY_OPTIONS, expiryOf, validateExpiry } from "./key-expiry.ts";

export interface CreateKeyDialogProps {
  readonly onClose: () => void;
  readonly onCreated: (created: NewKey) => void;
}

const WEEK_MS = 7 * 86_400_000;

export function CreateKeyDialog({ onClose, onCreated }: CreateKeyDialogProps) {
  const [name, setName] = useState("");
  const [choice, setChoice] = useState("never");
  const [custom, setCustom] = useState(() => toLocalInputValue(new Date(Date.now() + WEEK_MS)));
  const [submitted, setSubmitted] = useState(false);
  const id = useId();
  const client = useQueryClient();
  const create = useMutation({
    mutationFn: () => {
      const now = new Date();
      const expiry = expiryOf(choice, custom, now);
      const expiresIn =
        expiry && Math.max(1, Math.round((expiry.getTime() - now.getTime()) / 1_000));
      return holdall.keys.create(name, { expiresIn });
    },
    onSuccess: async (created) => {
      onCreated(created);
      await client.invalidateQueries({ queryKey: ["keys"] });
    },
  });
  const now = new Date();
  const nameError = name.trim() === "" ? "Enter a name." : undefined;
  const expiryError = validateExpiry(choice, custom, now);
  const expiry = expiryOf(choice, custom, now);

  return (
    <Dialog
      title="Create API key"
      onClose={onClose}
      onSubmit={() => {
        setSubmitted(true);
        if (nameError === undefined && expiryError === undefined && !create.isPending)
          create.mutate();
      }}
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" variant="primary" busy={create.isPending}>
            Create API key
          </Button>
        </>
      }
    >
      <Field
        label="Name"
        hint="What uses it, such as “backup” or “website”."
        autoComplete="off"
        maxLength={100}
        dir="auto"
        value={name}
        error={create.error?.message ?? (submitted ? nameError : undefined)}
        onChange={(event) => {
          create.reset();
          setName(event.target.value);
        }}
      />
      <div className="flex flex-col gap-1.5">
        <label htmlFor={id} className="font-medium text-sm">
          Expires
        </label>
        <Select
          id={id}
          options={EXPIRY_OPTIONS}
          value={choice}
          onChange={setChoice}
          aria-describedby={`${id}-end`}
        />
        {choice === "custom" && (
          <Field
            label="Date and time"
            hint={`In your time zone: ${formatTimeZone(expiry)}.`}
            type="datetime-local"
            min={toLocalInputValue(now)}
            value={custom}
            error={expiryError}
            onChange={(event) => setCustom(event.target.value)}
          />
        )}
        <p id={`${id}-end`} className="text-muted text-sm">
          {choice === "never" && "Works until you revoke it."}
          {expiry &&
            expiryError === undefined &&
            `Works until ${formatFullTimestamp(expiry.toISOString())}.`}
        </p>
      </div>
    </Dialog>
  );
}
