import { formatBytes } from "../../../../contract/text/format-bytes.ts";
import { MAX_COUNTED } from "../../../../contract/text/max-counted.ts";
import { Button } from "../../components/button.tsx";
import { formatCount } from "../../text/format-count.ts";
import { type Entry, isFile } from "./data/entry.ts";
import { useFolderSize } from "./data/use-content-size.ts";
import type { FolderListing } from "./data/use-folder.ts";

export interface StatusLineProps {
  readonly listing: FolderListing;
  readonly isSearch: boolean;
  readonly selected: readonly Entry[];
}

/** Counts of the folder and the selection, or the error while loading more. */
export function StatusLine({ listing, isSearch, selected }: StatusLineProps) {
  const { entries, error, retry } = listing;
  // The skeleton and the empty state need no status.
  if (listing.isPending || entries.length === 0) return null;
  if (error) {
    return (
      <footer className="flex h-10 flex-none items-center justify-between gap-3 border-line border-t bg-bad-soft px-4 text-bad text-xs md:px-6">
        <span role="alert" className="truncate">
          {error.message}
        </span>
        <Button size="sm" className="h-7" onClick={retry}>
          Try again
        </Button>
      </footer>
    );
  }
  return (
    <footer className="flex h-9 flex-none items-center justify-between gap-3 border-line border-t px-4 text-muted text-xs tabular-nums md:px-6 short:sr-only">
      <span className="truncate">
        {isSearch ? (
          <span role="status">{resultsText(listing)}</span>
        ) : (
          <Content listing={listing} />
        )}
        {listing.isLoadingMore && " · loading…"}
      </span>
      {selected.length > 0 && (
        <span className="flex-none">
          {formatCount(selected.length, "selected", "selected")}
          {selected.every(isFile) && `, ${formatBytes(sizeOf(selected))}`}
        </span>
      )}
    </footer>
  );
}

function resultsText({ entries, hasMore, isCut, total }: FolderListing): string {
  if (!hasMore && !isCut) return formatCount(entries.length, "result");
  const loaded = entries.length.toLocaleString();
  const all =
    total === undefined
      ? `${loaded}+ results`
      : `${total.toLocaleString()}${total >= MAX_COUNTED ? "+" : ""} results`;
  return isCut ? `The first ${loaded} of ${all}` : all;
}

function Content({ listing }: { readonly listing: FolderListing }) {
  const { entries, hasMore, folder } = listing;
  const size = useFolderSize(folder?.id).data;
  const files = entries.filter(isFile).length;
  const folders = entries.length - files;
  // Without subfolders, the size knows how many files there are before all are loaded.
  const isWhole = size !== undefined && (size.files === files || (hasMore && folders === 0));
  return (
    <>
      {folders > 0 && `${formatCount(folders, "folder")}, `}
      {isWhole
        ? `${formatCount(size.files, "file")}, ${formatBytes(size.bytes)}`
        : hasMore
          ? `${files.toLocaleString()}+ files`
          : formatCount(files, "file")}
      {size && !isWhole && ` · ${formatBytes(size.bytes)} in total`}
    </>
  );
}

const sizeOf = (entries: readonly Entry[]): number =>
  entries.reduce((sum, entry) => sum + (entry.kind === "file" ? entry.file.size : 0), 0);
