import type { ReactNode } from "react";
import { CopyButton } from "./copy-button.tsx";
import { FocusArea } from "./focus-area.tsx";

export interface CodeBlockProps {
  /** Caption, such as "curl". */
  readonly label: string;
  /** The text that the button copies. */
  readonly code: string;
  /** Text shown in place of the code, such as dots for a secret. */
  readonly shown?: string;
  /** Beside the copy button. */
  readonly action?: ReactNode;
}

/** Code with a copy button. */
export function CodeBlock({ label, code, shown = code, action }: CodeBlockProps) {
  // A command that goes on out of sight is not understood. Wrapped code would lose its structure.
  const isLine = !shown.includes("\n");
  return (
    <figure className="w-full min-w-0 overflow-hidden rounded-lg border border-line bg-hover text-left">
      <figcaption className="flex items-center justify-between gap-3 border-line border-b py-1.5 pr-1.5 pl-3 text-muted text-xs">
        {label}
        <span className="flex gap-1.5">
          {action}
          <CopyButton text={code} label={label} />
        </span>
      </figcaption>
      <FocusArea label={label} className="overflow-x-auto">
        <pre
          className={`px-3 py-2.5 font-mono text-ink text-xs leading-5 ${isLine ? "wrap-break-word whitespace-pre-wrap" : "w-max"}`}
        >
          <code>{shown}</code>
        </pre>
      </FocusArea>
    </figure>
  );
}
