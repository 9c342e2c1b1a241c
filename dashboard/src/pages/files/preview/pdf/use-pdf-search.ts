import type { PDFDocumentProxy } from "pdfjs-dist";
import { useEffect, useRef, useState } from "react";
import { type FoldedText, findInFolded, foldGraphemes } from "../../../../text/find-matches.ts";
import { readPageText } from "./pdf.ts";

const DEBOUNCE_MS = 200;
/** Then the page may draw and take input: the texts of a thousand pages follow one another without a pause. */
const BUSY_MS = 30;

/** One match: the number of its page, and which of the matches on the page it is, from 0. */
export interface PdfMatch {
  readonly page: number;
  readonly nth: number;
}

export interface PdfSearch {
  readonly text: string;
  readonly setText: (text: string) => void;
  readonly isSearching: boolean;
  /** Matches found so far. */
  readonly total: number;
  /** The number of the current match, from 0. */
  readonly at: number;
  readonly current: PdfMatch | undefined;
  /** Goes on or back by this many matches, around the ends. */
  readonly step: (by: 1 | -1) => void;
}

/** Searches the pages of a PDF one after the other, regardless of case and accents. */
export function usePdfSearch(pdf: PDFDocumentProxy | undefined): PdfSearch {
  const [text, setText] = useState("");
  /** Matches by page. */
  const [counts, setCounts] = useState<readonly number[]>([]);
  const [at, setAt] = useState(0);
  const [isSearching, setSearching] = useState(false);
  const pages = useRef(new Map<number, Promise<FoldedText>>());

  useEffect(() => {
    setCounts([]);
    setAt(0);
    const part = text.trim();
    setSearching(part !== "");
    if (pdf === undefined || part === "") return;
    let isOver = false;
    const search = async () => {
      const found: number[] = [];
      let pausedAt = performance.now();
      for (let number = 1; number <= pdf.numPages; number += 1) {
        // A page that cannot be read has no matches, for now.
        const page = await readFolded(pages.current, pdf, number).catch(() => undefined);
        if (isOver) return;
        found.push(page === undefined ? 0 : findInFolded(page, part).length);
        if (found.at(-1) !== 0) setCounts([...found]);
        if (performance.now() - pausedAt < BUSY_MS) continue;
        await pause();
        if (isOver) return;
        pausedAt = performance.now();
      }
      setSearching(false);
    };
    const timer = setTimeout(() => void search(), DEBOUNCE_MS);
    return () => {
      isOver = true;
      clearTimeout(timer);
    };
  }, [pdf, text]);

  const total = counts.reduce((sum, count) => sum + count, 0);
  return {
    text,
    setText,
    isSearching,
    total,
    at,
    current: matchAt(counts, at),
    step: (by) => {
      if (total > 0) setAt((before) => (before + by + total) % total);
    },
  };
}

/** The text of a page, read once; after a failure, the next search reads it again. */
function readFolded(
  pages: Map<number, Promise<FoldedText>>,
  pdf: PDFDocumentProxy,
  number: number,
): Promise<FoldedText> {
  const known = pages.get(number);
  if (known !== undefined) return known;
  const reading = readPageText(pdf, number).then(foldGraphemes);
  pages.set(number, reading);
  reading.catch(() => pages.delete(number));
  return reading;
}

const pause = () => new Promise<void>((resolve) => setTimeout(resolve));

function matchAt(counts: readonly number[], at: number): PdfMatch | undefined {
  let nth = at;
  for (const [index, count] of counts.entries()) {
    if (nth < count) return { page: index + 1, nth };
    nth -= count;
  }
  return undefined;
}
