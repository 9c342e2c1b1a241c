import type { ReactNode } from "react";
import { CopyButton } from "../copy-button.tsx";
import { FocusArea } from "../focus-area.tsx";
import { TruncatedName } from "../truncated-name.tsx";

/** The end of a URL that stays in view: it shows most of a file's name. */
const URL_TAIL_LENGTH = 16;

export interface UrlFieldProps {
  readonly label: string;
  readonly url: string;
  /** Without, another button copies the URL. */
  readonly hasButton?: boolean;
  /** Shows the start and the end of a URL that is too long, which otherwise scrolls. */
  readonly isCut?: boolean;
  /** Below the URL. */
  readonly hint?: ReactNode;
}

/** A URL in one line, with a copy button, unless another one copies it. */
export function UrlField({ label, url, hasButton = true, isCut = false, hint }: UrlFieldProps) {
  return (
    <figure className="flex w-full min-w-0 flex-col gap-1.5 text-left">
      <figcaption className="font-medium text-sm">{label}</figcaption>
      <div className="flex items-center gap-1.5 rounded-md border border-line bg-hover p-1">
        {isCut ? (
          <code className="block min-w-0 flex-1 px-2 py-1.5 text-ink text-xs">
            <TruncatedName name={url} tailLength={URL_TAIL_LENGTH} />
          </code>
        ) : (
          <FocusArea
            label={label}
            className="min-w-0 flex-1 overflow-x-auto rounded-sm [scrollbar-width:none]"
          >
            <code className="block w-max px-2 py-1.5 text-ink text-xs">{url}</code>
          </FocusArea>
        )}
        {hasButton && <CopyButton text={url} label={label} />}
      </div>
      {hint && <p className="text-muted text-sm">{hint}</p>}
    </figure>
  );
}
