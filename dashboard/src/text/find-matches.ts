import { foldText } from "../../../contract/text/fold-text.ts";

/** Part of a text, by its first and after its last UTF-16 code unit. */
export interface TextRange {
  readonly start: number;
  readonly end: number;
}

/** A text made comparable, for finding several parts in it. */
export interface FoldedText {
  readonly text: string;
  /** The start in the original of the grapheme of each code unit of the folded text. */
  readonly starts: Uint32Array;
  /** The end in the original of the grapheme of each code unit of the folded text. */
  readonly ends: Uint32Array;
}

/**
 * The parts of a name that match a search, in order: regardless of case and accents, and with `*` for any
 * text, as in the server's search.
 */
export function findMatches(name: string, search: string): TextRange[] {
  const parts = foldText(search.normalize("NFC")).split("*");
  const folded = foldGraphemes(name);
  return inOriginal(
    folded,
    parts.length === 1 ? findAll(folded.text, parts[0] ?? "") : findParts(folded.text, parts),
  );
}

/** The parts of a text that are like another, regardless of case and accents, in order. */
export const findText = (text: string, part: string): TextRange[] =>
  findInFolded(foldGraphemes(text), part);

/** The same, for a text that is searched again and again: folding it takes most of the time. */
export const findInFolded = (folded: FoldedText, part: string): TextRange[] =>
  inOriginal(folded, findAll(folded.text, foldText(part.normalize("NFC"))));

function inOriginal({ starts, ends }: FoldedText, found: readonly TextRange[]): TextRange[] {
  const matches: TextRange[] = [];
  for (const { start, end } of found) {
    const from = starts[start];
    const to = ends[end - 1];
    // A grapheme may match more than once.
    if (from === undefined || to === undefined || from < (matches.at(-1)?.end ?? 0)) continue;
    matches.push({ start: from, end: to });
  }
  return matches;
}

/** Folds a text grapheme by grapheme, so that matches can be found in the original. */
export function foldGraphemes(original: string): FoldedText {
  let text = "";
  const starts: number[] = [];
  const ends: number[] = [];
  for (const { segment, index } of new Intl.Segmenter().segment(original)) {
    const folded = foldText(segment);
    text += folded;
    for (let at = 0; at < folded.length; at += 1) {
      starts.push(index);
      ends.push(index + segment.length);
    }
  }
  return { text, starts: Uint32Array.from(starts), ends: Uint32Array.from(ends) };
}

function findAll(text: string, part: string): TextRange[] {
  const found: TextRange[] = [];
  if (part === "") return found;
  for (let at = text.indexOf(part); at >= 0; at = text.indexOf(part, at + part.length)) {
    found.push({ start: at, end: at + part.length });
  }
  return found;
}

/** Each part after the one before; the last one at the end. */
function findParts(text: string, parts: readonly string[]): TextRange[] {
  const found: TextRange[] = [];
  let from = 0;
  for (const [index, part] of parts.entries()) {
    if (part === "") continue;
    const at = index === parts.length - 1 ? text.lastIndexOf(part) : text.indexOf(part, from);
    if (at < from) return found;
    from = at + part.length;
    found.push({ start: at, end: from });
  }
  return found;
}
