import { useEffect, useRef } from "react";
import { instanceName } from "../brand.ts";
import { useStore } from "../store.ts";
import { pageTitle } from "./page-title.ts";

/**
 * Sets the document title. When the page changes, moves the focus to `#content`, so that keyboard
 * and screen reader users start at the new page.
 */
export function usePageChange(page: string | undefined, title: string | undefined): void {
  const previous = useRef<string | undefined>(undefined);
  const shown = useStore(pageTitle) ?? title;
  useEffect(() => {
    if (page !== undefined) document.title = `${shown ?? "Not found"} · ${instanceName}`;
  }, [page, shown]);
  useEffect(() => {
    if (page === undefined) return;
    if (previous.current !== undefined && previous.current !== page) {
      document.getElementById("content")?.focus({ preventScroll: true });
    }
    previous.current = page;
  }, [page]);
}
