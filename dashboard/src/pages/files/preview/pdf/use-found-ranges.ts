import { type RefObject, useEffect, useRef } from "react";
import { findRanges } from "./page-ranges.ts";
import type { PdfSearch } from "./use-pdf-search.ts";

/** Their colors are in `theme.css`. */
const FOUND = "found";
const CURRENT = "found-current";

/**
 * Highlights the matches on the pages in view, and scrolls to the current one. `laid` changes whenever the
 * text of a page has been laid out.
 */
export function useFoundRanges(
  container: RefObject<HTMLElement | null>,
  { text, current }: PdfSearch,
  laid: number,
): void {
  const shown = useRef("");
  const { page, nth } = current ?? {};

  // biome-ignore lint/correctness/useExhaustiveDependencies: other texts have other ranges.
  useEffect(() => {
    const area = container.current;
    const part = text.trim();
    if (area === null || part === "") return;
    const all: Range[] = [];
    let wanted: Range | undefined;
    for (const [index, each] of area.querySelectorAll<HTMLElement>("[data-page]").entries()) {
      const layer = each.querySelector<HTMLElement>(".pdf-text");
      const ranges = layer === null ? [] : findRanges(layer, part);
      all.push(...ranges);
      if (nth !== undefined && index + 1 === page) wanted = ranges[nth];
    }
    CSS.highlights?.set(FOUND, new Highlight(...all));
    if (wanted !== undefined) CSS.highlights?.set(CURRENT, new Highlight(wanted));
    scrollTo(area, wanted);
    return () => {
      CSS.highlights?.delete(FOUND);
      CSS.highlights?.delete(CURRENT);
    };
  }, [container, text, page, nth, laid]);

  /** Once for each match, so that one can scroll away. A page without its text gets it by coming into view. */
  function scrollTo(area: HTMLElement, range: Range | undefined): void {
    if (page === undefined || shown.current === `${page} ${nth} ${text}`) return;
    const target = range ?? area.querySelectorAll("[data-page]")[page - 1];
    if (target === undefined) return;
    const { top, height } = area.getBoundingClientRect();
    const distance = target.getBoundingClientRect().top - top;
    const isInView = range !== undefined && distance > 0 && distance < height - 100;
    if (!isInView) area.scrollBy({ top: distance - height / 3 });
    if (range !== undefined) shown.current = `${page} ${nth} ${text}`;
  }
}
