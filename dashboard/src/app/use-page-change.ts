import { useEffect, useRef } from "react";

/**
 * Sets the document title. When the page changes, moves the focus to `#content`, so that keyboard
 * and screen reader users start at the new page.
 */
export function usePageChange(page: string | undefined, title: string | undefined): void {
  const previous = useRef<string | undefined>(undefined);
  useEffect(() => {
    if (page === undefined) return;
    document.title = `${title ?? "Not found"} · Holdall`;
    if (previous.current !== undefined && previous.current !== page) {
      document.getElementById("content")?.focus({ preventScroll: true });
    }
    previous.current = page;
  }, [page, title]);
}
