import { countText } from "../../../text/count.ts";
import { type Entry, nameOf } from "../data/entry.ts";

/** Names the entries in a dialog's title: a single name, or counts. */
export function Subject({ entries }: { readonly entries: readonly Entry[] }) {
  const [first] = entries;
  if (first !== undefined && entries.length === 1) {
    return (
      <>
        “<bdi className="break-all">{nameOf(first)}</bdi>”
      </>
    );
  }
  return <>{subjectText(entries)}</>;
}

/** "3 files and 1 folder". */
export function subjectText(entries: readonly Entry[]): string {
  const folders = entries.filter(({ kind }) => kind === "folder").length;
  const files = entries.length - folders;
  return [files > 0 && countText(files, "file"), folders > 0 && countText(folders, "folder")]
    .filter(Boolean)
    .join(" and ");
}
