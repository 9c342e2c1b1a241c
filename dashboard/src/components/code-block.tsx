import { CopyButton } from "./copy-button.tsx";
import { FocusArea } from "./focus-area.tsx";

export interface CodeBlockProps {
  /** Caption, such as "curl". */
  readonly label: string;
  readonly code: string;
}

/** Code with a copy button. */
export function CodeBlock({ label, code }: CodeBlockProps) {
  return (
    <figure className="w-full min-w-0 overflow-hidden rounded-lg border border-line bg-hover text-left">
      <figcaption className="flex items-center justify-between gap-3 border-line border-b py-1.5 pr-1.5 pl-3 text-muted text-xs">
        {label}
        <CopyButton text={code} label={label} />
      </figcaption>
      <FocusArea label={label} className="overflow-x-auto">
        <pre className="w-max px-3 py-2.5 font-mono text-ink text-xs leading-5">
          <code>{code}</code>
        </pre>
      </FocusArea>
    </figure>
  );
}
