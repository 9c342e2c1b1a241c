import { useEffect, useRef, useState } from "react";
import { stemLength } from "../../../text/split-name.ts";
import { type Entry, nameOf } from "../data/entry.ts";

export interface RenameFieldProps {
  readonly entry: Entry;
  /** Called with undefined to keep the name. If it rejects, the field stays open with the error. */
  readonly onDone: (name: string | undefined) => Promise<void>;
}

/** Renames an entry in place. Enter saves, Escape cancels. */
export function RenameField({ entry, onDone }: RenameFieldProps) {
  const before = nameOf(entry);
  const [name, setName] = useState(before);
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<string>();
  const input = useRef<HTMLInputElement>(null);

  useEffect(() => {
    input.current?.focus();
    input.current?.setSelectionRange(0, entry.kind === "file" ? stemLength(before) : before.length);
  }, [entry.kind, before]);

  const submit = async () => {
    if (busy) return;
    setBusy(true);
    try {
      await onDone(name === before || name.trim() === "" ? undefined : name);
    } catch (error) {
      setError(error instanceof Error ? error.message : String(error));
      input.current?.focus();
    } finally {
      setBusy(false);
    }
  };

  return (
    <span className="relative block min-w-0 flex-1">
      <input
        ref={input}
        aria-label={`New name for ${before}`}
        aria-invalid={error === undefined ? undefined : true}
        aria-describedby={error === undefined ? undefined : "rename-error"}
        value={name}
        dir="auto"
        readOnly={busy}
        spellCheck={false}
        autoComplete="off"
        onChange={(event) => {
          setName(event.target.value);
          setError(undefined);
        }}
        onKeyDown={(event) => {
          event.stopPropagation();
          if (event.key === "Enter") void submit();
          if (event.key === "Escape") void onDone(undefined);
        }}
        onBlur={() => {
          if (!busy && error === undefined) void submit();
        }}
        onClick={(event) => event.stopPropagation()}
        onDoubleClick={(event) => event.stopPropagation()}
        className="h-7 w-full rounded-sm border border-accent bg-surface px-1.5 text-ink outline-2 outline-accent/30"
      />
      {error !== undefined && (
        <span
          id="rename-error"
          role="alert"
          className="absolute top-full left-0 z-10 mt-1 max-w-full rounded-md bg-bad-solid px-2 py-1 text-bad-ink text-xs shadow-pop"
        >
          {error}
        </span>
      )}
    </span>
  );
}
