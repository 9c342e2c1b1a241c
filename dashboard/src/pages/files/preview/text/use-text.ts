import { useInfiniteQuery } from "@tanstack/react-query";
import { useMemo, useState } from "react";
import type { FileObject } from "../../../../../../sdk/src/holdall.ts";
import { holdall } from "../../../../app/connection/client.ts";
import { decodeText } from "./decode-text.ts";

/** Bytes of a text loaded at once. */
export const TEXT_CHUNK_BYTES = 256 * 1024;

export interface FileText {
  readonly text: string | undefined;
  /** Undefined until there is text. */
  readonly encoding: string | undefined;
  /** The label that the user has chosen; undefined: the content decides. */
  readonly chosenEncoding: string | undefined;
  readonly chooseEncoding: (label: string | undefined) => void;
  readonly hasMore: boolean;
  readonly isLoadingMore: boolean;
  readonly error: Error | null;
  readonly loadMore: () => void;
  readonly retry: () => void;
}

/** The beginning of a text file, `first` bytes long; `loadMore` loads the next chunk. */
export function useText(
  { id, size, updatedAt }: FileObject,
  first: number = TEXT_CHUNK_BYTES,
): FileText {
  const query = useInfiniteQuery({
    queryKey: ["text", id, updatedAt],
    queryFn: async ({ pageParam: start, signal }) => {
      if (size === 0) return { bytes: new Uint8Array(), contentType: null };
      const length = start === 0 ? first : TEXT_CHUNK_BYTES;
      const range = { start, end: Math.min(size, start + length) - 1 };
      const { response } = await holdall.files.download(id, { range, signal });
      const bytes = new Uint8Array(await response.arrayBuffer());
      return { bytes, contentType: response.headers.get("content-type") };
    },
    initialPageParam: 0,
    getNextPageParam: (_last, chunks) => {
      const read = chunks.reduce((sum, chunk) => sum + chunk.bytes.length, 0);
      return read < size ? read : undefined;
    },
    staleTime: Number.POSITIVE_INFINITY,
  });
  const { data, fetchNextPage, refetch } = query;
  const [chosenEncoding, chooseEncoding] = useState<string>();
  const decoded = useMemo(() => {
    if (data === undefined) return undefined;
    const chunks = data.pages.map(({ bytes }) => bytes);
    const contentType = data.pages[0]?.contentType ?? null;
    return decodeText(chunks, { chosen: chosenEncoding, contentType });
  }, [data, chosenEncoding]);
  return {
    text: decoded?.text,
    encoding: decoded?.encoding,
    chosenEncoding,
    chooseEncoding,
    hasMore: query.hasNextPage,
    isLoadingMore: query.isFetchingNextPage,
    error: query.error,
    loadMore: () => void fetchNextPage(),
    retry: () => void refetch(),
  };
}
