import { useEffect, useMemo, useRef, useState } from "react";
import { isStatus } from "../../app/client.ts";
import { deferred } from "../../app/deferred.tsx";
import type { PageProps } from "../../app/page-props.ts";
import { Failure } from "../../components/failure.tsx";
import { MenuList } from "../../components/menu-list.tsx";
import { sayFailure } from "../../components/toast-store.ts";
import { BulkProgress } from "./actions/bulk-progress.tsx";
import { entryMenu } from "./actions/entry-menu.ts";
import { useChanges } from "./actions/use-changes.ts";
import { useDialogs } from "./actions/use-dialogs.tsx";
import { useFilesActions } from "./actions/use-files-actions.ts";
import { type Entry, isFile } from "./data/entry.ts";
import { useFolder } from "./data/use-folder.ts";
import { useSearch } from "./data/use-search.ts";
import { EmptyFolder } from "./empty-folder.tsx";
import { FolderHeader } from "./folder-header.tsx";
import { FolderSkeleton } from "./folder-skeleton.tsx";
import { Entries } from "./list/entries.tsx";
import { ListHead } from "./list/list-head.tsx";
import { useEntryEvents } from "./list/use-entry-events.ts";
import { useFocusOnList } from "./list/use-focus-on-list.ts";
import { NoSuchFolder } from "./no-such-folder.tsx";
import { NothingFound } from "./nothing-found.tsx";
import { usePreview } from "./preview/use-preview.ts";
import { SelectionBar } from "./selection-bar.tsx";
import { chooseAll, chooseNone, keepOf, NOTHING } from "./state/selection.ts";
import { useView } from "./state/use-view.ts";
import { parentKey } from "./state/view.ts";
import { StatusLine } from "./status-line.tsx";
import { Toolbar } from "./toolbar.tsx";
import { TreePanel } from "./tree/tree-panel.tsx";

const Preview = deferred(async () => (await import("./preview/preview.tsx")).Preview);

/** The files page. The URL determines the folder, order, layout, search and preview. */
export function FilesPage({ rest }: PageProps) {
  const control = useView(rest);
  // Selection and renaming belong to one folder, so another folder gets fresh state.
  return <FolderPage key={control.view.key} control={control} />;
}

function FolderPage({ control }: { readonly control: ReturnType<typeof useView> }) {
  const { view, change, open, pathOf } = control;
  const isSearch = view.query !== "";
  const folder = useFolder(view);
  const search = useSearch(view.query);
  const listing = isSearch ? search : folder;
  const { entries } = listing;
  const [selection, setSelection] = useState(NOTHING);
  const [renaming, setRenaming] = useState<string>();
  const [menu, setMenu] = useState<{ readonly entry: Entry; readonly at: DOMRect }>();
  const page = useRef<HTMLElement>(null);
  const changes = useChanges();
  const [dialogs, dialog] = useDialogs(view.key, changes);
  const preview = usePreview();
  const actions = useFilesActions({
    changes,
    dialogs,
    open,
    openFile: preview.open,
    setRenaming,
  });
  const files = useMemo(() => entries.filter(isFile).map(({ file }) => file), [entries]);

  const earlier = useRef<readonly string[]>([]);
  useEffect(() => {
    const before = earlier.current;
    const order = entries.map(({ id }) => id);
    earlier.current = order;
    setSelection((selection) => keepOf(selection, before, order));
  }, [entries]);

  const on = useEntryEvents({
    entries,
    selection,
    setSelection,
    actions,
    changes,
    setMenu: (entry, at) => setMenu({ entry, at }),
    endRenaming: () => setRenaming(undefined),
  });

  const chosen = useMemo(
    () => (selection.chosen.size === 0 ? [] : entries.filter(({ id }) => selection.chosen.has(id))),
    [entries, selection.chosen],
  );
  const hasList = entries.length > 0;
  useFocusOnList(page, [renaming, menu !== undefined, hasList, chosen.length > 0].join());

  const selectAll = () => {
    listing.readAll().then(
      (all) =>
        setSelection((before) =>
          chooseAll(
            before,
            all.map(({ id }) => id),
          ),
        ),
      sayFailure,
    );
  };
  const isAll = chosen.length > 0 && chosen.length === entries.length && !listing.hasMore;
  const up = parentKey(view.key);

  const content = () => {
    if (isStatus(listing.error, 404)) return <NoSuchFolder path={pathOf("")} />;
    if (listing.error && entries.length === 0) {
      return (
        <Failure title="Couldn't load the folder" error={listing.error} onRetry={listing.retry} />
      );
    }
    if (listing.isPending) return <FolderSkeleton layout={view.layout} />;
    if (entries.length === 0 && isSearch) return <NothingFound text={view.query} />;
    if (entries.length === 0) {
      return <EmptyFolder folderKey={view.key} onNewFolder={actions.newFolder} />;
    }
    return (
      <Entries
        label={
          isSearch
            ? `Search results for “${view.query}”`
            : `Contents of ${listing.folder?.name || "Files"}`
        }
        showsPlaces={isSearch}
        entries={entries}
        layout={view.layout}
        selection={selection}
        onSelection={setSelection}
        onSelectAll={selectAll}
        onUp={() => up !== undefined && open(up)}
        renaming={renaming}
        pathOf={(entry) =>
          entry.kind === "folder" ? pathOf(entry.folder.key) : actions.urlOf(entry.file)
        }
        on={on}
        hasMore={listing.hasMore}
        onNearEnd={listing.readMore}
        head={
          view.layout === "list" && (
            <ListHead
              view={view}
              chosen={isAll ? "all" : chosen.length > 0 ? "some" : "none"}
              onToggleAll={() => (isAll ? setSelection(chooseNone) : selectAll())}
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
    <div className="flex min-h-0 flex-1">
      <TreePanel current={view.key} onOpen={open} onDrop={actions.moveInto} />
      <main
        id="content"
        ref={page}
        tabIndex={-1}
        className="flex min-h-0 min-w-0 flex-1 flex-col outline-none"
      >
        <FolderHeader
          folderKey={view.key}
          pathOf={pathOf}
          onNewFolder={actions.newFolder}
          onDrop={actions.moveInto}
        />
        {chosen.length > 0 ? (
          <SelectionBar
            entries={chosen}
            actions={actions}
            onClear={() => setSelection(chooseNone)}
          />
        ) : (
          <Toolbar view={view} onChange={change} />
        )}
        {content()}
        <StatusLine listing={listing} chosen={chosen} />
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
            onNearEnd={listing.readMore}
            onClose={preview.close}
          />
        )}
        {dialog}
        <BulkProgress />
      </main>
    </div>
  );
}
