import { foldText } from "../../../server/rules/fold-text.ts";

/** Part of a text, by its first and after its last UTF-16 code unit. */
export interface TextRange {
  readonly start: number;
  readonly end: number;
}

/**
 * The parts of a name that match a search, in order: regardless of case and accents, and with `*` for any
 * text, as in the server's search.
 */
export function findMatches(name: string, search: string): TextRange[] {
  const parts = foldText(search.normalize("NFC")).split("*");
  return inOriginal(name, (folded) =>
    parts.length === 1 ? findAll(folded, parts[0] ?? "") : findParts(folded, parts),
  );
}

/** The parts of a text that are like another, regardless of case and accents, in order. */
export const findText = (text: string, part: string): TextRange[] =>
  inOriginal(text, (folded) => findAll(folded, foldText(part.normalize("NFC"))));

function inOriginal(text: string, find: (folded: string) => TextRange[]): TextRange[] {
  const folded = foldGraphemes(text);
  const found = find(folded.text);
  const matches: TextRange[] = [];
  for (const { start, end } of found) {
    const from = folded.graphemes[start];
    const to = folded.graphemes[end - 1];
    // A grapheme may match more than once.
    if (from === undefined || to === undefined || from.start < (matches.at(-1)?.end ?? 0)) continue;
    matches.push({ start: from.start, end: to.end });
  }
  return matches;
}

/** The folded text, and for each of its code units the grapheme of the original that it comes from. */
function foldGraphemes(name: string): { text: string; graphemes: TextRange[] } {
  let text = "";
  const graphemes: TextRange[] = [];
  for (const { segment, index } of new Intl.Segmenter().segment(name)) {
    const folded = foldText(segment);
    text += folded;
    const range = { start: index, end: index + segment.length };
    for (let at = 0; at < folded.length; at += 1) graphemes.push(range);
  }
  return { text, graphemes };
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
