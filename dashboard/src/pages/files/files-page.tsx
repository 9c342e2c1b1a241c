import { useMemo, useRef, useState } from "react";
import { lazyComponent } from "../../app/lazy-component.tsx";
import type { PageProps } from "../../app/page-props.ts";
import { usePageTitle } from "../../app/page-title.ts";
import { useStore } from "../../app/store.ts";
import { MenuList } from "../../components/menus/menu-list.tsx";
import { useTrashDays } from "../../trash/use-trash-days.ts";
import { entryMenu } from "./actions/entry-menu.ts";
import { useChanges } from "./actions/use-changes.ts";
import { useDialogs } from "./actions/use-dialogs.tsx";
import { useFilesActions } from "./actions/use-files-actions.ts";
import { type Entry, entryOfFolder, isFile } from "./data/entry.ts";
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
import { usePreview } from "./preview/use-preview.ts";
import { SelectionBar } from "./selection-bar.tsx";
import { isFiltering } from "./state/search-filters.ts";
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

const Preview = lazyComponent(async () => (await import("./preview/preview.tsx")).Preview);

/** Title and toolbar share a line where there is room for both. */
const HEAD_CLASS = "@6xl/files:flex @6xl/files:border-line @6xl/files:border-b";

/** The files page. The URL determines the folder, order, layout, search and preview. */
export function FilesPage({ rest }: PageProps) {
  const control = useView(rest);
  useLiveChanges();
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
  const changes = useChanges();
  const trashDays = useTrashDays();
  const { revealed, reveal } = useRevealCreated(entries, setSelection);
  const [dialogs, dialog] = useDialogs(view.key, changes, reveal);
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

  const on = useEntryEvents({
    entries,
    selection: selection.selection,
    setSelection,
    actions,
    changes,
    setMenu: (entry, at) => setMenu({ entry, at }),
    endRenaming: () => setRenaming(undefined),
  });

  const hasList = entries.length > 0;
  useFocusOnList(
    page,
    [
      ...[renaming, menu !== undefined, hasList, selected.length > 0, hasDetails],
      isFiltering(view.filters),
    ].join(),
  );

  return (
    <div className="relative flex min-h-0 flex-1">
      <TreePanel current={view.key} onOpen={open} onDrop={actions.moveInto} />
      <main
        id="content"
        ref={page}
        tabIndex={-1}
        className="@container/files flex min-h-0 min-w-0 flex-1 flex-col outline-none"
      >
        <div ref={head} className="flex-none bg-side">
          <div className={HEAD_CLASS}>
            <FolderHeader
              view={view}
              pathOf={pathOf}
              canAdd={!isMissing}
              onNewFolder={actions.newFolder}
              onVisibility={() =>
                folder.folder && dialogs.visibility([entryOfFolder(folder.folder)])
              }
              onDrop={actions.moveInto}
            >
              {selected.length > 0 && (
                <SelectionBar entries={selected} actions={actions} onClear={selection.clear} />
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
          className={`relative flex min-h-0 flex-1 flex-col bg-canvas shadow-raised ${showsDetails ? ROOM_FOR_DETAILS : ""}`}
        >
          <FolderContent
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
