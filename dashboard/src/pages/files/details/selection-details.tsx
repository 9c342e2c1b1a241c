import { formatBytes } from "../../../../../contract/text/format-bytes.ts";
import { formatCount } from "../../../text/format-count.ts";
import { type Entry, isFile, isFolder } from "../data/entry.ts";
import { useContentSize } from "../data/use-content-size.ts";
import { describeEntries } from "../dialogs/entries-label.tsx";
import { DetailList } from "./detail-list.tsx";

/** The totals of several entries. */
export function SelectionDetails({ entries }: { readonly entries: readonly Entry[] }) {
  const files = entries.filter(isFile).map(({ file }) => file);
  const { data: inside, error } = useContentSize(entries);
  const hasFolders = entries.some(isFolder);
  const bytes = files.reduce((sum, { size }) => sum + size, 0);
  const privateFiles = files.filter(({ visibility }) => visibility === "private").length;
  const isKnown = !hasFolders || inside !== undefined;
  return (
    <div className="flex flex-col gap-6 p-4">
      <p className="font-semibold">{formatCount(entries.length, "item")}</p>
      <DetailList
        items={[
          ["Selected", describeEntries(entries)],
          [
            "In folders",
            inside &&
              `${formatCount(inside.files, "file")}, ${formatCount(inside.folders, "folder")}`,
          ],
          [
            "Size",
            isKnown ? formatBytes(bytes + (inside?.bytes ?? 0)) : (error?.message ?? "Counting…"),
          ],
          [
            "Visibility",
            files.length > 0
              ? `${files.length - privateFiles} public, ${privateFiles} private`
              : undefined,
          ],
        ]}
      />
    </div>
  );
}
