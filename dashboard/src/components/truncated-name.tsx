import type { ReactNode } from "react";
import type { TextRange } from "../text/find-matches.ts";
import { splitName } from "../text/split-name.ts";

export interface TruncatedNameProps {
  readonly name: string;
  /** Parts to highlight, in order. */
  readonly marks?: readonly TextRange[];
}

/**
 * A name on one line, whatever its length and direction. A long name is truncated in the middle,
 * because names often differ at the end; the title has the full name.
 */
export function TruncatedName({ name, marks = [] }: TruncatedNameProps) {
  const { head, tail } = splitName(name);
  if (tail === "") {
    return (
      <bdi className="block truncate text-left" title={name}>
        <Marked text={name} from={0} marks={marks} />
      </bdi>
    );
  }
  return (
    <span className="flex min-w-0" title={name}>
      <span className="truncate whitespace-pre">
        <Marked text={head} from={0} marks={marks} />
      </span>
      <span className="flex-none whitespace-pre">
        <Marked text={tail} from={head.length} marks={marks} />
      </span>
    </span>
  );
}

interface MarkedProps {
  readonly text: string;
  /** Where the text begins in the name. */
  readonly from: number;
  readonly marks: readonly TextRange[];
}

function Marked({ text, from, marks }: MarkedProps) {
  const parts: ReactNode[] = [];
  let at = 0;
  for (const mark of marks) {
    const start = Math.max(at, mark.start - from);
    const end = Math.min(text.length, mark.end - from);
    if (end <= start) continue;
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
