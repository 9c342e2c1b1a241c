import { File, Folder, Lock } from "lucide-react";
import { useMemo } from "react";
import { formatBytes } from "../../../../../../contract/text/format-bytes.ts";
import { formatCount } from "../../../../text/format-count.ts";
import { nameOrder } from "../../../../text/name-order.ts";
import type { ZipContents, ZipEntry } from "./read-zip.ts";

const modified = new Intl.DateTimeFormat(undefined, { dateStyle: "medium", timeStyle: "short" });

/** The files in a zip, here and on the pages of links. */
export function ContentsTable({ contents }: { readonly contents: ZipContents }) {
  const { entries, total } = contents;
  const sorted = useMemo(() => {
    const compare = nameOrder();
    return entries.toSorted((one, other) => compare(one.path, other.path));
  }, [entries]);
  const files = entries.filter(({ isFolder }) => !isFolder);
  const bytes = files.reduce((sum, { size }) => sum + size, 0);
  return (
    <>
      <p className="text-muted text-sm">
        {total > entries.length
          ? `The first ${entries.length.toLocaleString()} of ${formatCount(total, "entry", "entries")}`
          : `${formatCount(files.length, "file")}, ${formatBytes(bytes)} unpacked`}
      </p>
      {entries.length > 0 && (
        <table className="w-full table-fixed text-sm">
          <thead className="text-left text-muted text-xs">
            <tr>
              <th className="border-line border-b py-2 font-medium">Name</th>
              <th className="w-24 border-line border-b py-2 text-right font-medium">Size</th>
              <th className="hidden w-52 border-line border-b py-2 text-right font-medium md:table-cell">
                Modified
              </th>
            </tr>
          </thead>
          <tbody>
            {sorted.map((entry, at) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: an archive may have a path twice.
              <EntryRow key={at} entry={entry} />
            ))}
          </tbody>
        </table>
      )}
    </>
  );
}

function EntryRow({ entry }: { readonly entry: ZipEntry }) {
  const { path, isFolder, isEncrypted, size } = entry;
  const plain = isFolder ? path.slice(0, -1) : path;
  const name = plain.slice(plain.lastIndexOf("/") + 1);
  const Icon = isFolder ? Folder : File;
  return (
    <tr>
      <td className="border-line/55 border-b py-1.5 pr-4">
        <span className="flex min-w-0 items-center gap-2.5">
          <Icon aria-hidden className="size-4 flex-none text-muted" />
          <bdi className="min-w-0 break-words">
            <span className="text-muted">{plain.slice(0, plain.length - name.length)}</span>
            {name}
          </bdi>
          {isEncrypted && (
            <Lock role="img" aria-label="Encrypted" className="size-3.5 flex-none text-muted" />
          )}
        </span>
      </td>
      <td className="border-line/55 border-b py-1.5 text-right align-top text-muted tabular-nums">
        {isFolder ? "–" : formatBytes(size)}
      </td>
      <td className="hidden border-line/55 border-b py-1.5 text-right align-top text-muted tabular-nums md:table-cell">
        {Number.isNaN(entry.modified.getTime()) ? "–" : modified.format(entry.modified)}
      </td>
    </tr>
  );
}
