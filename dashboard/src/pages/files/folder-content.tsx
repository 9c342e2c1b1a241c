import { isStatus } from "../../app/connection/client.ts";
import { lazyComponent } from "../../app/lazy-component.tsx";
import { can, homeKey } from "../../rights/rights.ts";
import { parentKey } from "../../text/key-parts.ts";
import type { Entry } from "./data/entry.ts";
import type { FolderListing } from "./data/use-folder.ts";
import { FolderSkeleton } from "./folder-skeleton.tsx";
import { Entries } from "./list/entries.tsx";
import type { EntryEvents } from "./list/entry-props.ts";
import { ListHeader } from "./list/list-header.tsx";
import { SearchText } from "./state/search-text.ts";
import type { EntrySelection } from "./state/use-entry-selection.ts";
import type { ViewControl } from "./state/use-view.ts";
import { isSearch, sortedBy, viewPath } from "./state/view.ts";

// The first view of a folder with files needs none of these.
const FolderNotFound = lazyComponent(
  async () => (await import("./folder-not-found.tsx")).FolderNotFound,
);
const LoadError = lazyComponent(
  async () => (await import("../../components/load-error.tsx")).LoadError,
);
const EmptyFolder = lazyComponent(async () => (await import("./empty-folder.tsx")).EmptyFolder);
const NoSearchResults = lazyComponent(
  async () => (await import("./no-search-results.tsx")).NoSearchResults,
);

export interface FolderContentProps {
  readonly control: ViewControl;
  readonly listing: FolderListing;
  readonly selection: EntrySelection;
  /** The id of the entry being renamed. */
  readonly renaming: string | undefined;
  /** The id of an entry to scroll into view. */
  readonly revealed: string | undefined;
  readonly urlOf: (entry: Entry) => string;
  /** The height of bars that lie over the beginning of the list and scroll with it, in pixels. */
  readonly above: number;
  readonly on: EntryEvents;
  readonly onNewFolder: () => void;
}

/** The list or grid of a folder or of search results, or why there is none. */
export function FolderContent(props: FolderContentProps) {
  const { control, listing, onNewFolder } = props;
  const { view, pathOf } = control;
  const { entries, error } = listing;
  const isResult = isSearch(view);
  if (isStatus(error, 404)) return <FolderNotFound path={pathOf(homeKey())} />;
  if (!can("list")) return <EmptyFolder folderKey={view.key} onNewFolder={onNewFolder} />;
  if (error && entries.length === 0) {
    return <LoadError title="Couldn't load the folder" error={error} onRetry={listing.retry} />;
  }
  if (listing.isPending) return <FolderSkeleton layout={view.layout} />;
  if (entries.length === 0 && isResult) return <NoSearchResults view={view} />;
  if (entries.length === 0) return <EmptyFolder folderKey={view.key} onNewFolder={onNewFolder} />;
  return (
    <SearchText value={view.query}>
      <Listing {...props} />
    </SearchText>
  );
}

function Listing(props: FolderContentProps) {
  const { control, listing, selection, renaming, revealed, urlOf, on, above } = props;
  const { view, change, open } = control;
  const isResult = isSearch(view);
  const parent = view.key === homeKey() ? undefined : parentKey(view.key);
  return (
    <Entries
      label={
        isResult
          ? `Search results${view.query === "" ? "" : ` for “${view.query}”`}`
          : `Contents of ${listing.folder?.name || "Files"}`
      }
      showsFolders={isResult}
      entries={listing.entries}
      layout={view.layout}
      selection={selection.selection}
      onSelection={selection.setSelection}
      onSelectAll={selection.selectAll}
      onUp={() => parent !== undefined && open(parent)}
      renaming={renaming}
      reveal={revealed}
      viewPath={viewPath(view)}
      isPlaceholder={listing.isPlaceholder}
      pathOf={urlOf}
      on={on}
      hasMore={listing.hasMore}
      onNearEnd={listing.loadMore}
      above={above}
      header={
        // The toolbar sorts, too.
        view.layout === "list" &&
        above === 0 && (
          <ListHeader
            view={view}
            selected={selection.extent}
            onToggleAll={selection.extent === "all" ? selection.clear : selection.selectAll}
            onSort={(orderBy) => change(sortedBy(view, orderBy))}
          />
        )
      }
    />
  );
}
