import { useQuery } from "@tanstack/react-query";
import { HoldallError } from "../../../../../../sdk/src/holdall.ts";
import { holdall } from "../../../../app/connection/client.ts";
import { Skeleton } from "../../../../components/skeleton.tsx";
import { ContentArea } from "../content-area.tsx";
import { DetailsPreview } from "../details-preview.tsx";
import { damagedNote } from "../no-preview-reason.ts";
import type { PreviewBodyProps } from "../preview-body-props.ts";
import { ContentsTable } from "./contents-table.tsx";
import { readZip, ZipNotShown } from "./read-zip.ts";

/** The list of about 300,000 files has 32 MiB; a larger one would take the browser's memory. */
const LIMITS = { entries: 5_000, listBytes: 32 * 1024 ** 2 };

/** The rejection of a body that ends too early. */
function brokenOff(cause: unknown): never {
  throw new HoldallError(0, "The connection closed before the response was complete.", { cause });
}

/** The list of the files in a zip, of which only that list is loaded. */
export function ZipPreview({ file }: PreviewBodyProps) {
  const { id, size, updatedAt } = file;
  const { data, error } = useQuery({
    queryKey: ["zip", id, updatedAt],
    queryFn: ({ signal }) => {
      const read = async (start: number, length: number) => {
        const range = { start, end: start + length - 1 };
        const { response } = await holdall.files.download(id, { range, signal });
        return new Uint8Array(await response.arrayBuffer().catch(brokenOff));
      };
      return readZip(size, read, LIMITS);
    },
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

const ListSkeleton = () => (
  <div aria-busy="true" className="flex flex-col gap-3">
    {Array.from({ length: 8 }, (_, line) => (
      // biome-ignore lint/suspicious/noArrayIndexKey: all are the same.
      <Skeleton key={line} className="h-6" />
    ))}
  </div>
);
