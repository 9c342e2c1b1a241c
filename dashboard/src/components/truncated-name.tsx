import type { ReactNode } from "react";
import type { TextRange } from "../text/find-matches.ts";
import { splitName } from "../text/split-name.ts";

export interface TruncatedNameProps {
  readonly name: string;
  /** How much of the end of a name that is too long is seen. */
  readonly tailLength?: number;
  /** Parts to highlight, in order. */
  readonly marks?: readonly TextRange[];
}

/**
 * A name on one line, whatever its length and direction. It is one text, which the browser finds, and screen readers
 * read as it is. Names often differ at the end, so of a name that is too long, copies of its start and its end are seen,
 * which are no text of the page; the title has the full name.
 */
export function TruncatedName({ name, tailLength, marks = [] }: TruncatedNameProps) {
  const { head, tail } = splitName(name, tailLength);
  if (tail === "" || marks.length > 0) {
    return (
      <bdi className="block truncate whitespace-pre text-left" title={name}>
        <Marked text={name} marks={marks} />
      </bdi>
    );
  }
  return (
    <span className="block h-[1lh] min-w-0 overflow-clip" title={name}>
      {/* The text takes two lines if it is too long for one. Then the third line is seen, and not the first. */}
      <span className="block translate-y-[calc((2lh-100%)*2)]">
        <bdi className="block max-h-[2lh] overflow-clip whitespace-pre-wrap break-all text-left">
          {name}
        </bdi>
        <span
          aria-hidden
          data-head={head}
          data-tail={tail}
          className="flex h-[1lh] before:truncate before:whitespace-pre before:content-[attr(data-head)] after:flex-none after:whitespace-pre after:content-[attr(data-tail)]"
        />
      </span>
    </span>
  );
}

interface MarkedProps {
  readonly text: string;
  readonly marks: readonly TextRange[];
}

function Marked({ text, marks }: MarkedProps) {
  const parts: ReactNode[] = [];
  let at = 0;
  for (const { start, end } of marks) {
    parts.push(
      text.slice(at, start),
      <mark key={start} className="rounded-xs bg-warn-soft text-inherit">
        {text.slice(start, end)}
      </mark>,
    );
    at = end;
  }
  return (
    <>
      {parts}
      {text.slice(at)}
    </>
  );
}
