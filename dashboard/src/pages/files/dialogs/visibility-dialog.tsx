import { useState } from "react";
import type { Visibility } from "../../../../../sdk/src/holdall.ts";
import { Button } from "../../../components/button.tsx";
import { Dialog } from "../../../components/dialog.tsx";
import type { Changes } from "../actions/use-changes.ts";
import { type Entry, isFolder } from "../data/entry.ts";
import { ContentCount } from "./content-count.tsx";
import { Subject } from "./subject.tsx";

const CHOICES = [
  { value: "public", label: "Public", told: "Whoever has the URL can read the file." },
  {
    value: "private",
    label: "Private",
    told: "Only you, API keys and links that expire can read the file.",
  },
] as const;

export interface VisibilityDialogProps {
  readonly entries: readonly Entry[];
  readonly changes: Changes;
  readonly onClose: () => void;
}

export function VisibilityDialog({ entries, changes, onClose }: VisibilityDialogProps) {
  const [visibility, setVisibility] = useState<Visibility>("private");
  return (
    <Dialog
      title={
        <>
          Visibility of <Subject entries={entries} />
        </>
      }
      onClose={onClose}
      onSubmit={() => {
        onClose();
        void changes.setVisibility(entries, visibility);
      }}
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" variant="primary">
            Make {visibility}
          </Button>
        </>
      }
    >
      <fieldset className="flex flex-col gap-2">
        <legend className="sr-only">Visibility</legend>
        {CHOICES.map(({ value, label, told }) => (
          <label
            key={value}
            className="flex cursor-pointer items-start gap-3 rounded-lg border border-edge p-3 transition-colors hover:bg-hover has-checked:border-accent has-checked:bg-accent-soft"
          >
            <input
              type="radio"
              name="visibility"
              value={value}
              checked={visibility === value}
              onChange={() => setVisibility(value)}
              className="mt-1 size-3.5 flex-none accent-accent"
            />
            <span>
              <span className="block font-medium">{label}</span>
              <span className="block text-muted text-sm">{told}</span>
            </span>
          </label>
        ))}
      </fieldset>
      <div className="text-muted text-sm">
        <ContentCount entries={entries} lead="This sets the visibility of" />
      </div>
      {entries.some(isFolder) && (
        <p className="text-muted text-sm">
          A folder's files are changed, with those in the folders below. Later uploads get the
          instance's usual visibility.
        </p>
      )}
    </Dialog>
  );
}
