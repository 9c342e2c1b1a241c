import { useQuery } from "@tanstack/react-query";
import type { FileObject } from "../../../../../sdk/src/holdall.ts";
import { holdallWithoutRetries } from "../../../app/connection/client.ts";
import { entryOfFile } from "../data/entry.ts";
import { KindIcon } from "../kind-icon.tsx";
import { decodeText } from "../preview/text/decode-text.ts";
import { limitThumbnails } from "./limit-thumbnails.ts";
import { retryRefused } from "./retry-refused.ts";

const BYTES = 900;

/** The beginning of a text file. */
export function TextThumbnail({ file }: { readonly file: FileObject }) {
  const { id, size, updatedAt } = file;
  const { data } = useQuery({
    queryKey: ["text-beginning", id, updatedAt],
    queryFn: ({ signal }) =>
      limitThumbnails(async () => {
        const range = { start: 0, end: Math.min(size, BYTES) - 1 };
        const { response } = await holdallWithoutRetries.files.download(id, { range, signal });
        const contentType = response.headers.get("content-type");
        const bytes = new Uint8Array(await response.arrayBuffer());
        return decodeText([bytes], { contentType }).text;
      }, signal),
    ...retryRefused,
    enabled: size > 0,
    staleTime: Number.POSITIVE_INFINITY,
  });
  if (data === undefined) return <KindIcon entry={entryOfFile(file)} className="size-10" />;
  return (
    <div
      aria-hidden
      className="size-full animate-fade overflow-hidden whitespace-pre-wrap break-all bg-surface p-3 pointer-coarse:pt-9.5 text-left font-mono text-[0.5rem] text-muted leading-[0.7rem]"
    >
      {data}
    </div>
  );
}
