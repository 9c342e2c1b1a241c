import { useEffect } from "react";
import { createStore } from "../store.ts";

/** The subject of the current page, for the document title; undefined: the title of its route. */
export const pageTitle = createStore<string | undefined>(undefined);

/** Names what the page shows in the document title, such as a folder. */
export function usePageTitle(title: string): void {
  useEffect(() => {
    pageTitle.set(title);
    return () => pageTitle.set(undefined);
  }, [title]);
}
