import { useInfiniteQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import type { FileObject } from "../../../../../sdk/src/holdall.ts";
import { holdall } from "../../../app/client.ts";

/** Bytes of a text loaded at once. */
export const TEXT_CHUNK_BYTES = 256 * 1024;

export interface FileText {
  readonly text: string | undefined;
  readonly hasMore: boolean;
  readonly isLoadingMore: boolean;
  readonly error: Error | null;
  readonly loadMore: () => void;
  readonly retry: () => void;
}

/** The beginning of a text file; `readMore` loads the next chunk. */
export function useText({ id, size, updatedAt }: FileObject): FileText {
  const query = useInfiniteQuery({
    queryKey: ["text", id, updatedAt],
    queryFn: async ({ pageParam: start, signal }) => {
      if (size === 0) return new Uint8Array();
      const range = { start, end: Math.min(size, start + TEXT_CHUNK_BYTES) - 1 };
      const { response } = await holdall.files.download(id, { range, signal });
      return new Uint8Array(await response.arrayBuffer());
    },
    initialPageParam: 0,
    getNextPageParam: (_last, chunks) => {
      const read = chunks.reduce((sum, chunk) => sum + chunk.length, 0);
      return read < size ? read : undefined;
    },
    staleTime: Number.POSITIVE_INFINITY,
  });
  const { data, fetchNextPage, refetch } = query;
  const text = useMemo(() => data && textOf(data.pages), [data]);
  return {
    text,
    hasMore: query.hasNextPage,
    isLoadingMore: query.isFetchingNextPage,
    error: query.error,
    loadMore: () => void fetchNextPage(),
    retry: () => void refetch(),
  };
}

/** Decodes the chunks as one text. A character cut off at the end completes with the next chunk. */
function textOf(chunks: readonly Uint8Array[]): string {
  const [first] = chunks;
  const decoder = new TextDecoder(encodingOf(first));
  return chunks.map((chunk) => decoder.decode(chunk, { stream: true })).join("");
}

/** Detects UTF-16 by its byte order mark; everything else is treated as UTF-8. */
function encodingOf(bytes: Uint8Array | undefined): string {
  if (bytes?.[0] === 0xff && bytes[1] === 0xfe) return "utf-16le";
  return bytes?.[0] === 0xfe && bytes[1] === 0xff ? "utf-16be" : "utf-8";
}
