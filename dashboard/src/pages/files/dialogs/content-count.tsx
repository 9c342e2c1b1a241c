import { formatBytes } from "../../../../../contract/text/format-bytes.ts";
import { formatCount } from "../../../text/format-count.ts";
import { type Entry, isFile, isFolder } from "../data/entry.ts";
import { useContentSize } from "../data/use-content-size.ts";

export interface ContentCountProps {
  readonly entries: readonly Entry[];
  /** Text before the count, such as "This deletes". */
  readonly lead: string;
}

/** The number and size of the affected files, including those in folders. */
export function ContentCount({ entries, lead }: ContentCountProps) {
  const { data, error, isPending } = useContentSize(entries);
  const files = entries.filter(isFile);
  const hasFolders = entries.some(isFolder);
  if (hasFolders && isPending) return <p className="min-h-6">Counting files…</p>;
  if (error) return <p role="alert">Couldn't count the files: {error.message}</p>;
  const count = files.length + (data?.files ?? 0);
  const bytes = files.reduce((sum, { file }) => sum + file.size, 0) + (data?.bytes ?? 0);
  return (
    <p role="status" className="min-h-6">
      {lead}{" "}
      <strong className="font-medium text-ink">
        {formatCount(count, "file")} ({formatBytes(bytes)})
      </strong>
      .
    </p>
  );
}
