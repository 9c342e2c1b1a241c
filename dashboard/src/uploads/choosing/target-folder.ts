import { currentPath } from "../../app/navigation/location.ts";
import { INITIAL_VIEW, parseView } from "../../pages/files/state/view.ts";
import { homeKey } from "../../rights/rights.ts";

/** The target of drops and pastes: the current folder, or on other pages the one where the account works. */
export function targetFolder(): string {
  const [path = ""] = currentPath().split("?");
  return /^\/files(?:\/|$)/.test(path)
    ? parseView(path.slice("/files/".length), "", INITIAL_VIEW).key
    : homeKey();
}
