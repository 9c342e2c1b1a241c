import type { LinkRecord } from "../domain/links.ts";
import type { KeyAction } from "../domain/records.ts";

/** What the maker of a link needs, so that visitors get nothing that it may not do itself. */
export function actionsFor({
  kind,
  subject,
}: Pick<LinkRecord, "kind" | "subject">): readonly KeyAction[] {
  if (kind === "drop") return ["share", "write"];
  return subject.kind === "file" ? ["share", "read"] : ["share", "read", "list"];
}
