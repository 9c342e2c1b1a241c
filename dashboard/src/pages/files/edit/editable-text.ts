/** A text without what a text area cannot keep: the byte order mark and the kinds of line ends. */
export interface EditableText {
  /** Lines end with "\n". */
  readonly text: string;
  readonly hasMark: boolean;
  /** The text as it is stored, without the mark. */
  readonly stored: string;
}

/** The text of UTF-8; undefined: the bytes are not UTF-8. */
export function readEditable(bytes: Uint8Array): EditableText | undefined {
  let decoded: string;
  try {
    decoded = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return undefined;
  }
  const hasMark = decoded.startsWith("\uFEFF");
  const stored = hasMark ? decoded.slice(1) : decoded;
  return { text: stored.replace(/\r\n?/g, "\n"), hasMark, stored };
}

/**
 * The edited text as it is to be stored. Lines that have not changed keep their ends; new ones get the end that most
 * lines of the file have.
 */
export function toStored({ hasMark, stored }: EditableText, edited: string): string {
  return (hasMark ? "\uFEFF" : "") + withLineEnds(stored, edited);
}

function withLineEnds(stored: string, edited: string): string {
  if (!stored.includes("\r")) return edited;
  const before = linesOf(stored);
  const after = edited.split("\n");
  const same = (a: number, b: number) =>
    before[a] !== undefined && before[a].text === after[b] && b < after.length - 1;
  let start = 0;
  while (start < before.length && same(start, start)) start += 1;
  let end = 0;
  while (
    end < Math.min(before.length, after.length) - start &&
    (end === 0
      ? before.at(-1)?.text === after.at(-1)
      : same(before.length - 1 - end, after.length - 1 - end))
  ) {
    end += 1;
  }
  const usual = usualEnd(before);
  return after
    .map((line, at) => {
      if (at === after.length - 1) return line;
      const old =
        at < start
          ? before[at]
          : at >= after.length - end
            ? before[at - after.length + before.length]
            : undefined;
      return line + (old?.end || usual);
    })
    .join("");
}

interface Line {
  readonly text: string;
  /** Empty for the last line. */
  readonly end: string;
}

function linesOf(text: string): Line[] {
  const parts = text.split(/(\r\n|\r|\n)/);
  const lines: Line[] = [];
  for (let at = 0; at < parts.length; at += 2) {
    lines.push({ text: parts[at] ?? "", end: parts[at + 1] ?? "" });
  }
  return lines;
}

function usualEnd(lines: readonly Line[]): string {
  const counts = new Map<string, number>();
  for (const { end } of lines) if (end !== "") counts.set(end, (counts.get(end) ?? 0) + 1);
  return [...counts].sort(([, a], [, b]) => b - a)[0]?.[0] ?? "\n";
}
