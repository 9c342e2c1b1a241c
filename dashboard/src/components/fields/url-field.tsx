import type { ReactNode } from "react";
import { CopyButton } from "../copy-button.tsx";
import { FocusArea } from "../focus-area.tsx";

export interface UrlFieldProps {
  readonly label: string;
  readonly url: string;
  /** Without, another button copies the URL. */
  readonly hasButton?: boolean;
  /** Below the URL. */
  readonly hint?: ReactNode;
}

/** A URL in one line, with a copy button, unless another one copies it. */
export function UrlField({ label, url, hasButton = true, hint }: UrlFieldProps) {
  return (
    <figure className="flex w-full min-w-0 flex-col gap-1.5 text-left">
      <figcaption className="font-medium text-sm">{label}</figcaption>
      <div className="flex items-center gap-1.5 rounded-md border border-line bg-hover p-1">
        <FocusArea
          label={label}
          className="min-w-0 flex-1 overflow-x-auto rounded-sm [scrollbar-width:none]"
        >
          <code className="block w-max px-2 py-1.5 text-ink text-xs">{url}</code>
        </FocusArea>
        {hasButton && <CopyButton text={url} label={label} />}
      </div>
      {hint && <p className="text-muted text-sm">{hint}</p>}
    </figure>
  );
}
