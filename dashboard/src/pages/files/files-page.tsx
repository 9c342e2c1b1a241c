import { useEffect, useMemo, useRef, useState } from "react";
import { isStatus } from "../../app/client.ts";
import { lazyComponent } from "../../app/lazy-component.tsx";
import type { PageProps } from "../../app/page-props.ts";
import { usePageTitle } from "../../app/page-title.ts";
import { useStore } from "../../app/store.ts";
import { LoadError } from "../../components/load-error.tsx";
import { MenuList } from "../../components/menu-list.tsx";
import { showErrorToast } from "../../components/toast-store.ts";
import { parentKey } from "../../text/key-parts.ts";
import { useTrashDays } from "../../trash/use-trash-days.ts";
import { entryMenu } from "./actions/entry-menu.ts";
import { useChanges } from "./actions/use-changes.ts";
import { useDialogs } from "./actions/use-dialogs.tsx";
import { useFilesActions } from "./actions/use-files-actions.ts";
import { type Entry, entryOfFolder, isFile, isFolder } from "./data/entry.ts";
import { useFolder } from "./data/use-folder.ts";
import { useIsMissing } from "./data/use-is-missing.ts";
import { useLiveChanges } from "./data/use-live-changes.ts";
import { useSearch } from "./data/use-search.ts";
import { detailsStore, ROOM_FOR_DETAILS } from "./details/details-store.ts";
import { EmptyFolder } from "./empty-folder.tsx";
import { FolderHeader } from "./folder-header.tsx";
import { FolderNotFound } from "./folder-not-found.tsx";
import { FolderSkeleton } from "./folder-skeleton.tsx";
import { Entries } from "./list/entries.tsx";
import { ListHeader } from "./list/list-header.tsx";
import { useEntryEvents } from "./list/use-entry-events.ts";
import { useFocusOnList } from "./list/use-focus-on-list.ts";
import { NoSearchResults } from "./no-search-results.tsx";
import { usePreview } from "./preview/use-preview.ts";
import { SelectionBar } from "./selection-bar.tsx";
import { SearchText } from "./state/search-text.ts";
import {
  clearSelection,
  EMPTY_SELECTION,
  retainExisting,
  selectAll,
  selectOnly,
} from "./state/selection.ts";
import { useView } from "./state/use-view.ts";
import { isSearch, NO_SEARCH, viewPath } from "./state/view.ts";
import { StatusLine } from "./status-line.tsx";
import { Toolbar } from "./toolbar.tsx";
import { TreePanel } from "./tree/tree-panel.tsx";

const SearchFilterBar = lazyComponent(
  async () => (await import("./search-filter-bar.tsx")).SearchFilterBar,
);
const DetailsPanel = lazyComponent(
  async () => (await import("./details/details-panel.tsx")).DetailsPanel,
);

const Preview = lazyComponent(async () => (await import("./preview/preview.tsx")).Preview);

/** The files page. The URL determines the folder, order, layout, search and preview. */
export function FilesPage({ rest }: PageProps) {
  const control = useView(rest);
  useLiveChanges();
  // Selection and renaming belong to one folder, so another folder gets fresh state.
  return <FolderPage key={control.view.key} control={control} />;
}

function FolderPage({ control }: { readonly control: ReturnType<typeof useView> }) {
  const { view, change, open, pathOf } = control;
  const isResult = isSearch(view);
  const [hasFilterBar, setFilterBar] = useState(false);
  const folder = useFolder(view);
  const isMissing = useIsMissing(folder);
  const search = useSearch(view, folder.folder?.id);
  const listing = isResult ? search : folder;
  const { entries } = listing;
  const [selection, setSelection] = useState(EMPTY_SELECTION);
  const [renaming, setRenaming] = useState<string>();
  const [menu, setMenu] = useState<{ readonly entry: Entry; readonly at: DOMRect }>();
  const page = useRef<HTMLElement>(null);
  const changes = useChanges();
  const trashDays = useTrashDays();
  const [created, setCreated] = useState<string>();
  const [revealed, setRevealed] = useState<string>();
  const [dialogs, dialog] = useDialogs(view.key, changes, setCreated);
  const preview = usePreview();
  const hasDetails = useStore(detailsStore);
  const showsDetails = hasDetails && preview.id === undefined;
  const folderName = view.key.slice(view.key.lastIndexOf("/") + 1) || "Files";
  const actions = useFilesActions({
    changes,
    dialogs,
    open,
    openFile: preview.open,
    setRenaming,
    trashDays,
  });
  const files = useMemo(() => entries.filter(isFile).map(({ file }) => file), [entries]);
  const previewed = files.find(({ id }) => id === preview.id);
  const title = isResult ? "Search results" : folderName;
  usePageTitle(previewed === undefined ? title : `${previewed.name} · ${title}`);

  const previousOrder = useRef<readonly string[]>([]);
  useEffect(() => {
    const previousIds = previousOrder.current;
    const ids = entries.map(({ id }) => id);
    previousOrder.current = ids;
    setSelection((selection) => retainExisting(selection, previousIds, ids));
  }, [entries]);

  useEffect(() => {
    if (created === undefined) return;
    // With "photos/2026", the list has only "photos".
    const entry = entries
      .filter(isFolder)
      .find(({ folder }) => `${created}/`.startsWith(`${folder.key}/`));
    if (entry === undefined) return;
    setCreated(undefined);
    setSelection(selectOnly(entry.id));
    setRevealed(entry.id);
  }, [created, entries]);

  const on = useEntryEvents({
    entries,
    selection,
    setSelection,
    actions,
    changes,
    setMenu: (entry, at) => setMenu({ entry, at }),
    endRenaming: () => setRenaming(undefined),
  });

  const selected = useMemo(
    () =>
      selection.selected.size === 0 ? [] : entries.filter(({ id }) => selection.selected.has(id)),
    [entries, selection.selected],
  );
  const hasList = entries.length > 0;
  useFocusOnList(
    page,
    [renaming, menu !== undefined, hasList, selected.length > 0, hasDetails].join(),
  );

  const handleSelectAll = () => {
    listing.loadAll().then(
      (all) =>
        setSelection((previous) =>
          selectAll(
            previous,
            all.map(({ id }) => id),
          ),
        ),
      showErrorToast,
    );
  };
  const isAll = selected.length > 0 && selected.length === entries.length && !listing.hasMore;
  const parent = parentKey(view.key);

  const content = () => {
    if (isStatus(listing.error, 404)) return <FolderNotFound path={pathOf("")} />;
    if (listing.error && entries.length === 0) {
      return (
        <LoadError title="Couldn't load the folder" error={listing.error} onRetry={listing.retry} />
      );
    }
    if (listing.isPending) return <FolderSkeleton layout={view.layout} />;
    if (entries.length === 0 && isResult) return <NoSearchResults view={view} />;
    if (entries.length === 0) {
      return <EmptyFolder folderKey={view.key} onNewFolder={actions.newFolder} />;
    }
    return (
      <Entries
        label={
          isResult
            ? `Search results${view.query === "" ? "" : ` for “${view.query}”`}`
            : `Contents of ${listing.folder?.name || "Files"}`
        }
        showsFolders={isResult}
        entries={entries}
        layout={view.layout}
        selection={selection}
        onSelection={setSelection}
        onSelectAll={handleSelectAll}
        onUp={() => parent !== undefined && open(parent)}
        renaming={renaming}
        reveal={revealed}
        viewPath={viewPath(view)}
        pathOf={(entry) =>
          entry.kind === "folder" ? pathOf(entry.folder.key) : actions.urlOf(entry.file)
        }
        on={on}
        hasMore={listing.hasMore}
        onNearEnd={listing.loadMore}
        header={
          view.layout === "list" && (
            <ListHeader
              view={view}
              selected={isAll ? "all" : selected.length > 0 ? "some" : "none"}
              onToggleAll={() => (isAll ? setSelection(clearSelection) : handleSelectAll())}
              onSort={(orderBy) =>
                change({
                  orderBy,
                  direction:
                    orderBy === view.orderBy
                      ? view.direction === "ASC"
                        ? "DESC"
                        : "ASC"
                      : orderBy === "name" || orderBy === "type"
                        ? "ASC"
                        : "DESC",
                })
              }
            />
          )
        }
      />
    );
  };

  return (
    <div className="relative flex min-h-0 flex-1">
      <TreePanel current={view.key} onOpen={open} onDrop={actions.moveInto} />
      <main
        id="content"
        ref={page}
        tabIndex={-1}
        className="flex min-h-0 min-w-0 flex-1 flex-col outline-none"
      >
        <FolderHeader
          view={view}
          pathOf={pathOf}
          canAdd={!isMissing}
          onNewFolder={actions.newFolder}
          onVisibility={() => folder.folder && dialogs.visibility([entryOfFolder(folder.folder)])}
          onDrop={actions.moveInto}
        >
          {selected.length > 0 && (
            <SelectionBar
              entries={selected}
              actions={actions}
              onClear={() => setSelection(clearSelection)}
            />
          )}
        </FolderHeader>
        <Toolbar
          view={view}
          onChange={change}
          showsFilters={isResult || hasFilterBar}
          onToggleFilters={() => {
            setFilterBar(!isResult && !hasFilterBar);
            if (isResult) change(NO_SEARCH);
          }}
        />
        {(isResult || hasFilterBar) && (
          <SearchFilterBar
            view={view}
            // Filters alone are about what one looks at.
            onChange={(search) => change(isResult ? search : { ...search, scope: "folder" })}
          />
        )}
        <div className={`flex min-h-0 flex-1 flex-col ${showsDetails ? ROOM_FOR_DETAILS : ""}`}>
          <SearchText value={view.query}>{content()}</SearchText>
          <StatusLine listing={listing} isSearch={isResult} selected={selected} />
        </div>
        {menu && (
          <MenuList
            label="Actions"
            items={entryMenu(menu.entry, actions)}
            anchor={() => menu.at}
            opener={null}
            onClose={() => setMenu(undefined)}
          />
        )}
        {preview.id !== undefined && (
          <Preview
            id={preview.id}
            files={files}
            actions={{ ...actions, rename: dialogs.rename }}
            onShow={preview.show}
            onNearEnd={listing.loadMore}
            onClose={preview.close}
          />
        )}
        {dialog}
      </main>
      {showsDetails && (
        <DetailsPanel
          overList={isResult ? "search" : "folder"}
          entries={selected}
          folder={folder.folder}
          actions={actions}
        />
      )}
    </div>
  );
}
