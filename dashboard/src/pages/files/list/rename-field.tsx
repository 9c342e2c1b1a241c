import { type RefObject, useEffect, useLayoutEffect, useRef, useState } from "react";
import { positionPopover } from "../../../components/menus/position-popover.ts";
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
      {error !== undefined && <RenameError text={error} field={input} />}
    </span>
  );
}

interface RenameErrorProps {
  readonly text: string;
  readonly field: RefObject<HTMLInputElement | null>;
}

/** The error next to the field. In the top layer, because the list would cut it off at its end. */
function RenameError({ text, field }: RenameErrorProps) {
  const ref = useRef<HTMLSpanElement>(null);
  useLayoutEffect(() => {
    const place = () => {
      if (ref.current && field.current) {
        positionPopover(ref.current, field.current.getBoundingClientRect());
      }
    };
    ref.current?.showPopover();
    place();
    document.addEventListener("scroll", place, true);
    window.addEventListener("resize", place);
    return () => {
      document.removeEventListener("scroll", place, true);
      window.removeEventListener("resize", place);
    };
  }, [field]);
  return (
    <span
      ref={ref}
      popover="manual"
      id="rename-error"
      role="alert"
      className="fixed m-0 max-w-80 break-words rounded-md bg-bad-solid px-2 py-1 text-bad-ink text-xs shadow-pop"
    >
      {text}
    </span>
  );
}
