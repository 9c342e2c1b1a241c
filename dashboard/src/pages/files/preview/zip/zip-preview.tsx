import { useQuery } from "@tanstack/react-query";
import { File, Folder, Lock } from "lucide-react";
import { useMemo } from "react";
import { formatBytes } from "../../../../../../contract/text/format-bytes.ts";
import { HoldallError } from "../../../../../../sdk/src/holdall.ts";
import { holdall } from "../../../../app/connection/client.ts";
import { Skeleton } from "../../../../components/skeleton.tsx";
import { formatCount } from "../../../../text/format-count.ts";
import { nameOrder } from "../../../../text/name-order.ts";
import { ContentArea } from "../content-area.tsx";
import { DetailsPreview } from "../details-preview.tsx";
import { damagedNote } from "../no-preview-reason.ts";
import type { PreviewBodyProps } from "../preview-body-props.ts";
import { readZip, type ZipContents, type ZipEntry, ZipNotShown } from "./read-zip.ts";

const modified = new Intl.DateTimeFormat(undefined, { dateStyle: "medium", timeStyle: "short" });

/** The rejection of a body that ends too early. */
function brokenOff(cause: unknown): never {
  throw new HoldallError(0, "The connection closed before the response was complete.", { cause });
}

/** The list of the files in a zip, of which only that list is loaded. */
export function ZipPreview({ file }: PreviewBodyProps) {
  const { id, size, updatedAt } = file;
  const { data, error } = useQuery({
    queryKey: ["zip", id, updatedAt],
    queryFn: ({ signal }) =>
      readZip(size, async (start, length) => {
        const range = { start, end: start + length - 1 };
        const { response } = await holdall.files.download(id, { range, signal });
        return new Uint8Array(await response.arrayBuffer().catch(brokenOff));
      }),
    enabled: size > 0,
    retry: false,
    staleTime: Number.POSITIVE_INFINITY,
  });
  if (size === 0) return <DetailsPreview file={file} />;
  if (error !== null) {
    const note =
      error instanceof HoldallError || error instanceof ZipNotShown
        ? `Couldn't load this archive: ${error.message}`
        : damagedNote("archive");
    return <DetailsPreview file={file} note={note} />;
  }
  return (
    <ContentArea label={`Files in ${file.name}`} className="min-h-0 flex-1 overflow-auto">
      <div className="mx-auto flex w-full max-w-4xl flex-col gap-3 px-4 py-6 md:px-6">
        {data === undefined ? <ListSkeleton /> : <ContentsTable contents={data} />}
      </div>
    </ContentArea>
  );
}

function ContentsTable({ contents: { entries, hasMore } }: { readonly contents: ZipContents }) {
  const sorted = useMemo(() => {
    const compare = nameOrder();
    return entries.toSorted((one, other) => compare(one.path, other.path));
  }, [entries]);
  const files = entries.filter(({ isFolder }) => !isFolder);
  const bytes = files.reduce((sum, { size }) => sum + size, 0);
  return (
    <>
      <p className="text-muted text-sm">
        {hasMore
          ? `The first ${formatCount(entries.length, "entry", "entries")} of the archive`
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

const ListSkeleton = () => (
  <div aria-busy="true" className="flex flex-col gap-3">
    {Array.from({ length: 8 }, (_, line) => (
      // biome-ignore lint/suspicious/noArrayIndexKey: all are the same.
      <Skeleton key={line} className="h-6" />
    ))}
  </div>
);
