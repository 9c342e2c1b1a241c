import { useState } from "react";
import type { Visibility } from "../../../../../sdk/src/holdall.ts";
import { Button } from "../../../components/button.tsx";
import { Dialog } from "../../../components/dialog.tsx";
import type { Changes } from "../actions/use-changes.ts";
import { type Entry, isFile, isFolder } from "../data/entry.ts";
import { ContentCount } from "./content-count.tsx";
import { EntriesLabel } from "./entries-label.tsx";

const CHOICES = [
  { value: "public", label: "Public", hint: "Anyone with the URL of a file can open it." },
  {
    value: "private",
    label: "Private",
    hint: "Opening a file needs an API key, a signed link or your account.",
  },
] as const;

export interface VisibilityDialogProps {
  readonly entries: readonly Entry[];
  readonly changes: Changes;
  readonly onClose: () => void;
}

export function VisibilityDialog({ entries, changes, onClose }: VisibilityDialogProps) {
  const files = entries.filter(isFile);
  const privateFiles = files.filter(({ file }) => file.visibility === "private").length;
  const publicFiles = files.length - privateFiles;
  const isAllPrivate = privateFiles === entries.length;
  const [visibility, setVisibility] = useState<Visibility>(isAllPrivate ? "public" : "private");
  return (
    <Dialog
      title={
        <>
          Visibility of <EntriesLabel entries={entries} />
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
      {files.length > 0 && (
        <p className="text-muted text-sm">
          {files.length === entries.length ? "Now: " : "The selected files now: "}
          {publicFiles.toLocaleString()} public, {privateFiles.toLocaleString()} private.
        </p>
      )}
      <fieldset className="flex flex-col gap-2">
        <legend className="sr-only">Visibility</legend>
        {CHOICES.map(({ value, label, hint }) => (
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
              <span className="block text-muted text-sm">{hint}</span>
            </span>
          </label>
        ))}
      </fieldset>
      <div className="text-muted text-sm">
        <ContentCount entries={entries} lead="This changes" />
      </div>
      {entries.some(isFolder) && (
        <p className="text-muted text-sm">
          This includes all files in subfolders. Later uploads use the instance's default
          visibility.
        </p>
      )}
    </Dialog>
  );
}
