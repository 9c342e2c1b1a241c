import type { ReactNode } from "react";
import { formatBytes } from "../../../../../../contract/text/format-bytes.ts";
import { Button } from "../../../../components/button.tsx";
import { LoadError } from "../../../../components/load-error.tsx";
import { Skeleton } from "../../../../components/skeleton.tsx";
import { ContentArea } from "../content-area.tsx";
import { type FileText, TEXT_CHUNK_BYTES } from "./use-text.ts";

export interface TextFrameProps {
  readonly content: FileText;
  readonly size: number;
  readonly label: string;
  readonly children: (text: string) => ReactNode;
}

/** The frame of a text: loading placeholder, error, and a button to load more. */
export function TextFrame({ content, size, label, children }: TextFrameProps) {
  const { text, error, hasMore, isLoadingMore, loadMore, retry } = content;
  if (text === undefined && error) {
    return <LoadError title="Couldn't load the text" error={error} onRetry={retry} />;
  }
  return (
    <ContentArea label={label} className="min-h-0 flex-1 overflow-auto overscroll-contain">
      {text === undefined ? (
        <TextSkeleton />
      ) : size === 0 ? (
        <p className="p-6 text-center text-muted">This file is empty.</p>
      ) : (
        children(text)
      )}
      {hasMore && (
        <div className="sticky left-0 flex flex-wrap items-center justify-center gap-3 border-line border-t p-4 text-muted text-sm">
          Showing the first part of {formatBytes(size)}.
          <Button size="sm" busy={isLoadingMore} onClick={loadMore}>
            Show {formatBytes(TEXT_CHUNK_BYTES)} more
          </Button>
        </div>
      )}
    </ContentArea>
  );
}

const WIDTHS = ["w-2/5", "w-3/5", "w-1/2", "w-1/3", "w-3/5", "w-1/4"];

function TextSkeleton() {
  return (
    <div className="flex flex-col gap-3 px-16 py-6">
      {WIDTHS.map((width, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: all are static.
        <Skeleton key={at} className={`h-3.5 ${width}`} />
      ))}
    </div>
  );
}
