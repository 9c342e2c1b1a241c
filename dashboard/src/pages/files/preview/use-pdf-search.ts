import type { PDFDocumentProxy } from "pdfjs-dist";
import { useEffect, useRef, useState } from "react";
import { findText } from "../../../text/find-matches.ts";
import { readPageText } from "./pdf.ts";

const DEBOUNCE_MS = 200;

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
  const pages = useRef(new Map<number, Promise<string>>());

  useEffect(() => {
    setCounts([]);
    setAt(0);
    const part = text.trim();
    setSearching(part !== "");
    if (pdf === undefined || part === "") return;
    let isOver = false;
    const search = async () => {
      const found: number[] = [];
      for (let number = 1; number <= pdf.numPages; number += 1) {
        const reading = pages.current.get(number) ?? readPageText(pdf, number);
        pages.current.set(number, reading);
        // A page that cannot be read has no matches.
        const page = await reading.catch(() => "");
        if (isOver) return;
        found.push(findText(page, part).length);
        if (found.at(-1) !== 0) setCounts([...found]);
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
    ...{ text, setText, isSearching, total, at },
    current: matchAt(counts, at),
    step: (by) => {
      if (total > 0) setAt((before) => (before + by + total) % total);
    },
  };
}

function matchAt(counts: readonly number[], at: number): PdfMatch | undefined {
  let nth = at;
  for (const [index, count] of counts.entries()) {
    if (nth < count) return { page: index + 1, nth };
    nth -= count;
  }
  return undefined;
}
