import { useInfiniteQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import type { FileObject } from "../../../../../sdk/src/holdall.ts";
import { holdall } from "../../../app/client.ts";

/** Bytes of a text loaded at once. */
export const TEXT_PIECE = 256 * 1024;

export interface FileText {
  readonly text: string | undefined;
  readonly hasMore: boolean;
  readonly isReadingMore: boolean;
  readonly error: Error | null;
  readonly readMore: () => void;
  readonly retry: () => void;
}

/** The beginning of a text file; `readMore` loads the next chunk. */
export function useText({ id, size, updatedAt }: FileObject): FileText {
  const query = useInfiniteQuery({
    queryKey: ["text", id, updatedAt],
    queryFn: async ({ pageParam: start, signal }) => {
      if (size === 0) return new Uint8Array();
      const range = { start, end: Math.min(size, start + TEXT_PIECE) - 1 };
      const { response } = await holdall.files.download(id, { range, signal });
      return new Uint8Array(await response.arrayBuffer());
    },
    initialPageParam: 0,
    getNextPageParam: (_last, pieces) => {
      const read = pieces.reduce((sum, piece) => sum + piece.length, 0);
      return read < size ? read : undefined;
    },
    staleTime: Number.POSITIVE_INFINITY,
  });
  const { data, fetchNextPage, refetch } = query;
  const text = useMemo(() => data && textOf(data.pages), [data]);
  return {
    text,
    hasMore: query.hasNextPage,
    isReadingMore: query.isFetchingNextPage,
    error: query.error,
    readMore: () => void fetchNextPage(),
    retry: () => void refetch(),
  };
}

/** Decodes the chunks as one text. A character cut off at the end completes with the next chunk. */
function textOf(pieces: readonly Uint8Array[]): string {
  const [first] = pieces;
  const decoder = new TextDecoder(encodingOf(first));
  return pieces.map((piece) => decoder.decode(piece, { stream: true })).join("");
}

/** Detects UTF-16 by its byte order mark; everything else is treated as UTF-8. */
function encodingOf(bytes: Uint8Array | undefined): string {
  if (bytes?.[0] === 0xff && bytes[1] === 0xfe) return "utf-16le";
  return bytes?.[0] === 0xfe && bytes[1] === 0xff ? "utf-16be" : "utf-8";
}
