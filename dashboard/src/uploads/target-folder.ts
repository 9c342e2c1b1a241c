import { here } from "../app/location.ts";
import { FIRST_DEFAULTS, parseView } from "../pages/files/state/view.ts";

/** Where things go that are dropped or pasted: the folder on the screen; elsewhere the first one. */
export function targetFolder(): string {
  const [path = ""] = here().split("?");
  return /^\/files(?:\/|$)/.test(path)
    ? parseView(path.slice("/files/".length), "", FIRST_DEFAULTS).key
    : "";
}
