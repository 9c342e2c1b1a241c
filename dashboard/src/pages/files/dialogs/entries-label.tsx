import { formatCount } from "../../../text/format-count.ts";
import { type Entry, nameOf } from "../data/entry.ts";

/** Names the entries in a dialog's title: a single name, or counts. */
export function EntriesLabel({ entries }: { readonly entries: readonly Entry[] }) {
  const [first] = entries;
  if (first !== undefined && entries.length === 1) {
    return (
      <>
        “<bdi className="break-all">{nameOf(first)}</bdi>”
      </>
    );
  }
  return <>{describeEntries(entries)}</>;
}

/** "3 files and 1 folder". */
export function describeEntries(entries: readonly Entry[]): string {
  const folders = entries.filter(({ kind }) => kind === "folder").length;
  const files = entries.length - folders;
  return [files > 0 && formatCount(files, "file"), folders > 0 && formatCount(folders, "folder")]
    .filter(Boolean)
    .join(" and ");
}
