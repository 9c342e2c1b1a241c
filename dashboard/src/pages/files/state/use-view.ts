import { useMemo } from "react";
import { navigateTo, redirectTo, useQueryString } from "../../../app/navigation/location.ts";
import { storedView, storeView } from "./stored-view.ts";
import { type FilesView, NO_SEARCH, parseView, viewPath } from "./view.ts";

export interface ViewControl {
  readonly view: FilesView;
  /** Changes order, layout or search; order and layout are kept for other folders. */
  readonly change: (change: Partial<Omit<FilesView, "key">>) => void;
  /** The path of another folder in the same view. */
  readonly pathOf: (key: string) => string;
  readonly open: (key: string) => void;
}

export function useView(rest: string): ViewControl {
  const query = useQueryString();
  return useMemo(() => {
    const view = parseView(rest, query, storedView());
    // A URL without a query string stays without one.
    const pathOf = (key: string) => {
      const path = viewPath({ ...view, ...NO_SEARCH, key });
      return query === "" ? path.replace(/\?.*/, "") : path;
    };
    return {
      view,
      pathOf,
      open: (key) => navigateTo(pathOf(key)),
      change: (change) => {
        const next = { ...view, ...change };
        const stored = viewPath({ ...next, ...NO_SEARCH });
        storeView(stored.slice(stored.indexOf("?")));
        redirectTo(viewPath(next));
      },
    };
  }, [rest, query]);
}
