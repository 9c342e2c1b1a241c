import { useMemo } from "react";
import { go, goInstead, useQueryText } from "../../../app/location.ts";
import { type FilesView, parseView, viewPath } from "./view.ts";
import { keepView, usualView } from "./view-defaults.ts";

export interface ViewControl {
  readonly view: FilesView;
  /** Changes order, layout or search; order and layout are kept for other folders. */
  readonly change: (change: Partial<Omit<FilesView, "key">>) => void;
  /** The path of another folder in the same view. */
  readonly pathOf: (key: string) => string;
  readonly open: (key: string) => void;
}

export function useView(rest: string): ViewControl {
  const query = useQueryText();
  return useMemo(() => {
    const view = parseView(rest, query, usualView());
    // A URL without a query string stays without one.
    const pathOf = (key: string) => {
      const path = viewPath({ ...view, key, query: "" });
      return query === "" ? path.replace(/\?.*/, "") : path;
    };
    return {
      view,
      pathOf,
      open: (key) => go(pathOf(key)),
      change: (change) => {
        const next = { ...view, ...change };
        const kept = viewPath({ ...next, query: "" });
        keepView(kept.slice(kept.indexOf("?")));
        goInstead(viewPath(next));
      },
    };
  }, [rest, query]);
}
