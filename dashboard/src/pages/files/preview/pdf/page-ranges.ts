import { findText } from "../../../../text/find-matches.ts";

interface Piece {
  readonly node: Text;
  /** Its start in the text of the page. */
  readonly start: number;
}

/** The parts of a laid out page that are like a text. The page has the text that `readPageText` returns. */
export function findRanges(page: HTMLElement, part: string): Range[] {
  const pieces: Piece[] = [];
  let text = "";
  const walker = document.createTreeWalker(page, NodeFilter.SHOW_TEXT | NodeFilter.SHOW_ELEMENT);
  for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
    if (node instanceof HTMLBRElement) text += " ";
    if (!(node instanceof Text)) continue;
    pieces.push({ node, start: text.length });
    text += node.data;
  }
  return findText(text, part).flatMap(({ start, end }) => {
    const from = pieces.findLast((piece) => piece.start <= start);
    const to = pieces.findLast((piece) => piece.start < end);
    if (from === undefined || to === undefined) return [];
    const range = document.createRange();
    range.setStart(from.node, Math.min(start - from.start, from.node.length));
    range.setEnd(to.node, Math.min(end - to.start, to.node.length));
    return [range];
  });
}
