import { useEffect, useMemo } from "react";
import {
  currentPath,
  navigateTo,
  redirectTo,
  useQueryString,
} from "../../../app/navigation/location.ts";

const PARAMETER = "file";

/* Whether the previous history entry is the list without the preview. */
let cameFromList = false;

export interface PreviewControl {
  /** The id of the previewed file, if any. */
  readonly id: string | undefined;
  readonly open: (id: string) => void;
  /** Shows another file, replacing the history entry. */
  readonly show: (id: string) => void;
  readonly close: () => void;
}

/** Keeps the previewed file in the URL, so that "back" closes it and the link can be shared. */
export function usePreview(): PreviewControl {
  const query = useQueryString();
  const id = new URLSearchParams(query).get(PARAMETER) ?? undefined;
  useEffect(() => {
    if (id === undefined) cameFromList = false;
  }, [id]);
  return useMemo(
    () => ({
      id,
      open: (id) => {
        cameFromList = true;
        navigateTo(pathWith(id));
      },
      show: (id) => redirectTo(pathWith(id)),
      close: () => {
        if (cameFromList) history.back();
        else redirectTo(pathWith(undefined));
      },
    }),
    [id],
  );
}

function pathWith(id: string | undefined): string {
  const [path = "", query = ""] = currentPath().split("?");
  const parameters = new URLSearchParams(query);
  if (id === undefined) parameters.delete(PARAMETER);
  else parameters.set(PARAMETER, id);
  const text = parameters.toString();
  return text === "" ? path : `${path}?${text}`;
}
