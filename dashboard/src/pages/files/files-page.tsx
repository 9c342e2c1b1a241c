import { useCallback, useEffect, useMemo, useRef, useState } from "react";
import { lazyComponent } from "../../app/lazy-component.tsx";
import { redirectTo } from "../../app/navigation/location.ts";
import type { PageProps } from "../../app/navigation/page-props.ts";
import { usePageTitle } from "../../app/navigation/page-title.ts";
import { filesContext } from "../../app/palette/palette-store.ts";
import { useStore } from "../../app/store.ts";
import { useMediaQuery } from "../../app/use-media-query.ts";
import { isWithin } from "../../rights/pick-space.ts";
import { useCan, useHomeKey } from "../../rights/rights.ts";
import { useTrashDays } from "../../trash/use-trash-days.ts";
import { useChanges } from "./actions/use-changes.ts";
import { useDialogs } from "./actions/use-dialogs.tsx";
import { useFilesActions } from "./actions/use-files-actions.ts";
import { type Entry, entryOfFile, entryOfFolder, isFile } from "./data/entry.ts";
import { useFolder } from "./data/use-folder.ts";
import { useIsMissing } from "./data/use-is-missing.ts";
import { useLiveChanges } from "./data/use-live-changes.ts";
import { useSearch } from "./data/use-search.ts";
import { detailsStore, ROOM_FOR_DETAILS } from "./details/details-store.ts";
import { FolderContent } from "./folder-content.tsx";
import { FolderHeader } from "./folder-header.tsx";
import { useEntryEvents } from "./list/use-entry-events.ts";
import { useFocusOnList } from "./list/use-focus-on-list.ts";
import { useMeasuredHeight } from "./list/use-measured-size.ts";
import { SHORT, useScrollingBars } from "./list/use-scrolling-bars.ts";
import { usePreview } from "./preview/use-preview.ts";
import { isFiltering } from "./state/search-filters.ts";
import { selectOnly } from "./state/selection.ts";
import { useEntrySelection } from "./state/use-entry-selection.ts";
import { useRevealCreated } from "./state/use-reveal-created.ts";
import { useView, type ViewControl } from "./state/use-view.ts";
import { isSearch, NO_SEARCH } from "./state/view.ts";
import { StatusLine } from "./status-line.tsx";
import { Toolbar } from "./toolbar.tsx";
import { TreePanel } from "./tree/tree-panel.tsx";

const SearchFilterBar = lazyComponent(
  async () => (await import("./search-filter-bar.tsx")).SearchFilterBar,
);
const DetailsPanel = lazyComponent(
  async () => (await import("./details/details-panel.tsx")).DetailsPanel,
);

const EntryMenuList = lazyComponent(
  async () => (await import("./actions/entry-menu-list.tsx")).EntryMenuList,
);
const SelectionBar = lazyComponent(async () => (await import("./selection-bar.tsx")).SelectionBar);

const Preview = lazyComponent(async () => (await import("./preview/preview.tsx")).Preview);

/** Title and toolbar share a line where there is room for both. */
const HEAD_CLASS = "@6xl/files:flex @6xl/files:border-line @6xl/files:border-b";

/** The files page. The URL determines the folder, order, layout, search and preview. */
export function FilesPage({ rest }: PageProps) {
  const control = useView(rest);
  const home = useHomeKey();
  // A member's files begin in the folder of its space.
  const isAbove = !isWithin(control.view.key, home);
  const { key } = control.view;
  const homePath = control.pathOf(home);
  useEffect(() => {
    if (isAbove && isWithin(home, key)) redirectTo(homePath);
  }, [isAbove, home, key, homePath]);
  useLiveChanges();
  if (isAbove && isWithin(home, key)) return null;
  // Selection and renaming belong to one folder, so another folder gets fresh state.
  return <FolderPage key={control.view.key} control={control} />;
}

function FolderPage({ control }: { readonly control: ViewControl }) {
  const { view, change, open, pathOf } = control;
  const isResult = isSearch(view);
  const [hasFilterBar, setFilterBar] = useState(false);
  const folder = useFolder(view);
  const isMissing = useIsMissing(folder);
  const search = useSearch(view, folder);
  const listing = isResult ? search : folder;
  const { entries } = listing;
  const selection = useEntrySelection(listing);
  const { selected, setSelection } = selection;
  const [renaming, setRenaming] = useState<string>();
  const [menu, setMenu] = useState<{ readonly entry: Entry; readonly at: DOMRect }>();
  const page = useRef<HTMLElement>(null);
  const head = useRef<HTMLDivElement>(null);
  const headHeight = useMeasuredHeight(head);
  const hasList = entries.length > 0;
  const isShort = useMediaQuery(SHORT);
  // Bars that scroll lie over the beginning of the content.
  const above = isShort ? headHeight : 0;
  useScrollingBars(page, head, isShort ? `${hasList}` : undefined);
  const changes = useChanges();
  const trashDays = useTrashDays();
  const { revealed, reveal } = useRevealCreated(entries, setSelection);
  const [dialogs, dialog] = useDialogs(view.key, changes, reveal);
  const preview = usePreview();
  const hasDetails = useStore(detailsStore);
  const showsDetails = hasDetails && preview.id === undefined;
  const can = useCan();
  const folderName = view.key.slice(view.key.lastIndexOf("/") + 1) || "Files";
  const select = useCallback((id: string) => setSelection(selectOnly(id)), [setSelection]);
  const actions = useFilesActions({
    changes,
    dialogs,
    open,
    openFile: preview.open,
    setRenaming,
    select,
    trashDays,
  });
  const files = useMemo(() => entries.filter(isFile).map(({ file }) => file), [entries]);
  const previewed = files.find(({ id }) => id === preview.id);
  useEffect(() => {
    filesContext.current = { entries: previewed ? [entryOfFile(previewed)] : selected, actions };
    return () => {
      filesContext.current = undefined;
    };
  }, [previewed, selected, actions]);
  const title = isResult ? "Search results" : folderName;
  usePageTitle(previewed === undefined ? title : `${previewed.name} · ${title}`);

  const on = useEntryEvents({
    entries,
    selection: selection.selection,
    setSelection,
    actions,
    changes,
    setMenu: (entry, at) => setMenu({ entry, at }),
    endRenaming: () => setRenaming(undefined),
  });

  useFocusOnList(
    page,
    [
      ...[renaming, menu !== undefined, hasList, selected.length > 0, hasDetails],
      isFiltering(view.filters),
    ].join(),
  );

  return (
    <div className="relative flex min-h-0 flex-1">
      {can("list") && <TreePanel current={view.key} onOpen={open} onDrop={actions.moveInto} />}
      <main
        id="content"
        ref={page}
        tabIndex={-1}
        className="@container/files relative flex min-h-0 min-w-0 flex-1 flex-col overflow-clip outline-none"
      >
        <div
          ref={head}
          className={`bg-side ${isShort ? "absolute inset-x-0 top-0 z-20 has-focus-visible:translate-none!" : "flex-none"}`}
        >
          <div className={HEAD_CLASS}>
            <FolderHeader
              view={view}
              pathOf={pathOf}
              canAdd={!isMissing && can("write")}
              onNewFolder={actions.newFolder}
              onVisibility={() =>
                folder.folder && dialogs.visibility([entryOfFolder(folder.folder)])
              }
              onDrop={actions.moveInto}
            >
              {selected.length > 0 && (
                <SelectionBar
                  entries={selected}
                  actions={actions}
                  onSelectAll={selection.selectAll}
                  onClear={selection.clear}
                />
              )}
            </FolderHeader>
            {can("list") && (
              <Toolbar
                view={view}
                onChange={change}
                showsFilters={isResult || hasFilterBar}
                onToggleFilters={() => {
                  setFilterBar(!isResult && !hasFilterBar);
                  if (isResult) change(NO_SEARCH);
                }}
              />
            )}
          </div>
          {(isResult || hasFilterBar) && (
            <SearchFilterBar
              view={view}
              // Filters alone are about what one looks at.
              onChange={(search) => change(isResult ? search : { ...search, scope: "folder" })}
            />
          )}
        </div>
        <div
          data-below-bars
          style={{ paddingTop: hasList ? 0 : above }}
          className={`relative flex min-h-0 flex-1 flex-col bg-canvas shadow-raised ${hasList ? "" : "overflow-y-auto"} ${showsDetails ? ROOM_FOR_DETAILS : ""}`}
        >
          <FolderContent
            above={above}
            control={control}
            listing={listing}
            selection={selection}
            renaming={renaming}
            revealed={revealed}
            urlOf={(entry) =>
              entry.kind === "folder" ? pathOf(entry.folder.key) : actions.urlOf(entry.file)
            }
            on={on}
            onNewFolder={actions.newFolder}
          />
          <StatusLine listing={listing} isSearch={isResult} selected={selected} />
        </div>
        {menu && (
          <EntryMenuList
            entry={menu.entry}
            at={menu.at}
            actions={actions}
            onClose={() => setMenu(undefined)}
          />
        )}
        {preview.id !== undefined && (
          <Preview
            id={preview.id}
            files={files}
            isFiltered={isResult}
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
          top={headHeight}
          entries={selected}
          folder={folder.folder}
          actions={actions}
        />
      )}
    </div>
  );
}
