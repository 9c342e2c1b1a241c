import type { KeyboardEvent, Ref } from "react";

export interface TextAreaProps {
  readonly label: string;
  readonly value: string;
  readonly onChange?: (text: string) => void;
  /** Code has no words to check. */
  readonly isProse?: boolean;
  readonly ref?: Ref<HTMLTextAreaElement>;
}

/** A text area that fills its place. A new line starts below the first character of the one before. */
export function TextArea({ label, value, onChange, isProse = false, ref }: TextAreaProps) {
  return (
    <textarea
      ref={ref}
      aria-label={label}
      value={value}
      readOnly={onChange === undefined}
      onChange={(event) => onChange?.(event.target.value)}
      onKeyDown={onChange && indentNewLine}
      spellCheck={isProse}
      autoComplete="off"
      autoCapitalize={isProse ? undefined : "off"}
      dir="auto"
      className="size-full min-h-40 flex-1 resize-none bg-surface px-4 py-3 font-mono text-sm leading-5 -outline-offset-2 [tab-size:4] read-only:bg-hover read-only:text-muted"
    />
  );
}

function indentNewLine(event: KeyboardEvent<HTMLTextAreaElement>): void {
  const { key, ctrlKey, metaKey, altKey, shiftKey, nativeEvent, currentTarget } = event;
  if (key !== "Enter" || ctrlKey || metaKey || altKey || shiftKey || nativeEvent.isComposing)
    return;
  const before = currentTarget.value.slice(0, currentTarget.selectionStart);
  const indent = /(?:^|\n)([ \t]*)[^\n]*$/.exec(before)?.[1] ?? "";
  if (indent === "") return;
  event.preventDefault();
  // The only way to insert text that Ctrl+Z takes back.
  document.execCommand("insertText", false, `\n${indent}`);
}
