import { useEffect, useRef } from "react";

/**
 * Names the browser's tab, and on the way from one page to another puts the focus where the new one
 * begins, so that keys and screen readers start there.
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
