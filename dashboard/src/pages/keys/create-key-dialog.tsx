import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useId, useState } from "react";
import type { NewKey } from "../../../../sdk/src/holdall.ts";
import { holdall } from "../../app/client.ts";
import { Button } from "../../components/button.tsx";
import { Dialog } from "../../components/dialog.tsx";
import { Field } from "../../components/field.tsx";
import { Select } from "../../components/select.tsx";
import { fullMomentText } from "../../text/moment.ts";
import { localInputText, timeZoneText } from "../../text/time-zone.ts";
import { ENDS, endMistake, endOf } from "./key-end.ts";

export interface CreateKeyDialogProps {
  readonly onClose: () => void;
  readonly onMade: (made: NewKey) => void;
}

const WEEK_MS = 7 * 86_400_000;

export function CreateKeyDialog({ onClose, onMade }: CreateKeyDialogProps) {
  const [name, setName] = useState("");
  const [choice, setChoice] = useState("never");
  const [own, setOwn] = useState(() => localInputText(new Date(Date.now() + WEEK_MS)));
  const [sent, setSent] = useState(false);
  const id = useId();
  const client = useQueryClient();
  const create = useMutation({
    mutationFn: () => {
      const now = new Date();
      const end = endOf(choice, own, now);
      const expiresIn = end && Math.max(1, Math.round((end.getTime() - now.getTime()) / 1_000));
      return holdall.keys.create(name, { expiresIn });
    },
    onSuccess: async (made) => {
      onMade(made);
      await client.invalidateQueries({ queryKey: ["keys"] });
    },
  });
  const now = new Date();
  const noName = name.trim() === "" ? "Enter a name." : undefined;
  const wrongEnd = endMistake(choice, own, now);
  const end = endOf(choice, own, now);

  return (
    <Dialog
      title="Create API key"
      onClose={onClose}
      onSubmit={() => {
        setSent(true);
        if (noName === undefined && wrongEnd === undefined && !create.isPending) create.mutate();
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
        error={create.error?.message ?? (sent ? noName : undefined)}
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
          options={ENDS}
          value={choice}
          onChange={setChoice}
          aria-describedby={`${id}-end`}
        />
        {choice === "custom" && (
          <Field
            label="Date and time"
            hint={`In your time zone: ${timeZoneText(end)}.`}
            type="datetime-local"
            min={localInputText(now)}
            value={own}
            error={wrongEnd}
            onChange={(event) => setOwn(event.target.value)}
          />
        )}
        <p id={`${id}-end`} className="text-muted text-sm">
          {choice === "never" && "Works until you revoke it."}
          {end && wrongEnd === undefined && `Works until ${fullMomentText(end.toISOString())}.`}
        </p>
      </div>
    </Dialog>
  );
}
