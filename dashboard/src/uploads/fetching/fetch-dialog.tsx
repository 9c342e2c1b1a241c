import { useQueryClient } from "@tanstack/react-query";
import { useId, useState } from "react";
import { FormDialog } from "../../components/dialogs/form-dialog.tsx";
import { FIELD_CLASS } from "../../components/fields/input.tsx";
import { fetchFiles } from "./fetch-files.ts";
import { urlsOf } from "./urls-of.ts";

const MAX_URLS = 100;

export interface FetchDialogProps {
  /** The key of the target folder. */
  readonly folder: string;
  readonly onClose: () => void;
}

/** Adds files that the server fetches from URLs. */
export function FetchDialog({ folder, onClose }: FetchDialogProps) {
  const client = useQueryClient();
  const [text, setText] = useState("");
  const [error, setError] = useState<string>();
  const id = useId();
  const submit = () => {
    const { urls, wrong } = urlsOf(text);
    if (wrong !== undefined) return setError(`“${wrong}” does not start with http:// or https://.`);
    if (urls.length === 0) return setError("Enter the URL of a file.");
    if (urls.length > MAX_URLS) return setError(`Enter at most ${MAX_URLS} URLs at once.`);
    onClose();
    void fetchFiles(client, urls, folder);
  };
  return (
    <FormDialog
      title="Add from URLs"
      submitLabel="Add"
      busy={false}
      errorText={error}
      onSubmit={submit}
      onClose={onClose}
    >
      <div className="flex flex-col gap-1.5">
        <label htmlFor={id} className="font-medium text-sm">
          URLs of files
        </label>
        <textarea
          id={id}
          aria-describedby={`${id}-hint`}
          rows={4}
          spellCheck={false}
          autoComplete="off"
          placeholder="https://example.com/harbour.mov"
          value={text}
          onChange={(event) => {
            setText(event.target.value);
            setError(undefined);
          }}
          className={`resize-y px-3 py-2 text-sm ${FIELD_CLASS}`}
        />
        <p id={`${id}-hint`} className="text-muted text-sm">
          One a line. The server fetches them, and goes on if you close this page. A file whose name
          is taken gets a number.
        </p>
      </div>
    </FormDialog>
  );
}
