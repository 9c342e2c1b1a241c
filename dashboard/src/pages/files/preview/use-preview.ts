import { useEffect, useMemo } from "react";
import { go, goInstead, here, useQueryText } from "../../../app/location.ts";

const NAME = "file";

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
  const query = useQueryText();
  const id = new URLSearchParams(query).get(NAME) ?? undefined;
  useEffect(() => {
    if (id === undefined) cameFromList = false;
  }, [id]);
  return useMemo(
    () => ({
      id,
      open: (id) => {
        cameFromList = true;
        go(pathWith(id));
      },
      show: (id) => goInstead(pathWith(id)),
      close: () => {
        if (cameFromList) history.back();
        else goInstead(pathWith(undefined));
      },
    }),
    [id],
  );
}

function pathWith(id: string | undefined): string {
  const [path = "", query = ""] = here().split("?");
  const parameters = new URLSearchParams(query);
  if (id === undefined) parameters.delete(NAME);
  else parameters.set(NAME, id);
  const text = parameters.toString();
  return text === "" ? path : `${path}?${text}`;
}
