import { here } from "../app/location.ts";
import { FIRST_DEFAULTS, parseView } from "../pages/files/state/view.ts";

/** The target of drops and pastes: the current folder, or the root on other pages. */
export function targetFolder(): string {
  const [path = ""] = here().split("?");
  return /^\/files(?:\/|$)/.test(path)
    ? parseView(path.slice("/files/".length), "", FIRST_DEFAULTS).key
    : "";
}
