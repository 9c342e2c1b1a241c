// biome-ignore-all lint/a11y/useSemanticElements: a virtualized grid cannot be a table element.
// biome-ignore-all lint/a11y/useFocusableInteractive: the grid has the focus as a whole.
import { useVirtualizer, type Virtualizer } from "@tanstack/react-virtual";
import { type ReactNode, useEffect, useId, useRef } from "react";
import { lazyComponent } from "../../../app/lazy-component.tsx";
import { useStore } from "../../../app/store.ts";
import { COARSE_POINTER, useMediaQuery } from "../../../app/use-media-query.ts";
import { parentKey } from "../../../text/key-parts.ts";
import type { Entry } from "../data/entry.ts";
import { useFolderPeeks } from "../data/use-folder-peeks.ts";
import { layOutTiles, TILE_GAP, tileSizeStore } from "../grid/tile-size.ts";
import type { Selection } from "../state/selection.ts";
import type { Layout } from "../state/view.ts";
import type { EntryEvents } from "./entry-props.ts";
import { EntryRow } from "./entry-row.tsx";
import { rowsToRender } from "./rows-to-render.ts";
import { useEmptySpace } from "./use-empty-space.ts";
import { useGridKeys } from "./use-grid-keys.ts";
import { useListMotion } from "./use-list-motion.ts";
import { useMeasuredWidth } from "./use-measured-size.ts";
import { useScrollMemory } from "./use-scroll-memory.ts";

const LazyTile = lazyComponent(async () => (await import("../grid/entry-tile.tsx")).EntryTile);

export interface EntriesProps {
  readonly label: string;
  readonly entries: readonly Entry[];
  readonly layout: Layout;
  /** Each row shows the folder that it is in. */
  readonly showsFolders: boolean;
  readonly selection: Selection;
  readonly onSelection: (selection: Selection) => void;
  readonly onSelectAll: () => void;
  readonly onUp: () => void;
  /** The id of the entry being renamed. */
  readonly renaming: string | undefined;
  /** The id of an entry to scroll into view. */
  readonly reveal: string | undefined;
  /** The path of the view, for its scroll position. */
  readonly viewPath: string;
  /** The entries still belong to another view. */
  readonly isPlaceholder: boolean;
  readonly pathOf: (entry: Entry) => string;
  readonly on: EntryEvents;
  readonly hasMore: boolean;
  /** Called when the end of the loaded entries comes into view. */
  readonly onNearEnd: () => void;
  /** The height of bars that lie over the beginning of the list and scroll with it, in pixels. */
  readonly above: number;
  readonly header?: ReactNode;
}

/** Below this width, rows have two lines instead of columns: `@lg` in the classes. */
const NARROW = 512;
/** In pixels, as rows: it does not grow with the font. */
const HEADER_HEIGHT = 36;
/** Empty space at the end of a long list, where the mouse can start a rectangle. Grids have their gaps. */
const FREE_END = 32;

/** Rows of fingers are as high as their targets have to be. */
function listRowHeight(hasTwoLines: boolean, isCoarse: boolean, isShort: boolean): number {
  if (hasTwoLines) return isCoarse ? 60 : isShort ? 44 : 52;
  return isCoarse ? 44 : 36;
}

/** A virtualized list or grid, which has the focus as a whole. */
export function Entries(props: EntriesProps) {
  const { entries, layout, selection, on, renaming, pathOf, onNearEnd, hasMore } = props;
  const scroller = useRef<HTMLDivElement>(null);
  const leaving = useRef<HTMLDivElement>(null);
  const width = useMeasuredWidth(scroller);
  const prefix = useId();
  const isList = layout === "list";
  const stickyHeight = props.header ? HEADER_HEIGHT : 0;
  const headerHeight = props.above + stickyHeight;
  const EntryTile = LazyTile.useLoaded(!isList);
  const isNarrow = width < NARROW;
  const inset = isNarrow ? 16 : 24;
  const isCoarse = useMediaQuery(COARSE_POINTER);
  const size = useStore(tileSizeStore);
  const peeks = useFolderPeeks(entries, !isList && !props.showsFolders);
  const tiles = layOutTiles(size, width - 2 * inset);
  const columns = isList ? 1 : tiles.columns;
  const gap = isList ? 0 : TILE_GAP;
  const rowHeight = isList
    ? listRowHeight(isNarrow || props.showsFolders, isCoarse, props.above > 0)
    : tiles.height + gap;

  const rowCount = Math.ceil(entries.length / columns);
  // The row being renamed stays rendered even out of view, so that its field can take the focus.
  const renamedIndex =
    renaming === undefined ? -1 : entries.findIndex((entry) => entry.id === renaming);
  const renamedRow = Math.floor(renamedIndex / columns);
  const virtual: Virtualizer<HTMLDivElement, Element> = useVirtualizer({
    count: width === 0 ? 0 : rowCount,
    getScrollElement: () => scroller.current,
    estimateSize: () => rowHeight,
    overscan: isList ? 12 : 3,
    rangeExtractor: (range) => rowsToRender(range, virtual.scrollDirection, renamedRow),
    scrollMargin: headerHeight,
    paddingStart: gap,
    paddingEnd: isList && !isCoarse ? FREE_END : 0,
    scrollPaddingStart: isList ? stickyHeight + 4 : TILE_GAP,
    scrollPaddingEnd: 8,
  });
  // biome-ignore lint/correctness/useExhaustiveDependencies: another row height moves every row.
  useEffect(() => virtual.measure(), [rowHeight]);

  useScrollMemory(scroller, props.viewPath, virtual.getTotalSize());
  const { reveal } = props;
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each entry to reveal.
  useEffect(() => {
    const index = reveal === undefined ? -1 : entries.findIndex(({ id }) => id === reveal);
    if (index >= 0) virtual.scrollToIndex(Math.floor(index / columns));
  }, [reveal]);

  const visibleRows = virtual.getVirtualItems();
  const lastVisibleRow = visibleRows.findLast(({ index }) => index !== renamedRow)?.index ?? -1;
  useEffect(() => {
    if (hasMore && lastVisibleRow >= rowCount - 40) onNearEnd();
  }, [hasMore, lastVisibleRow, rowCount, onNearEnd]);

  const keys = useGridKeys({
    ...props,
    columns,
    perPage:
      Math.max(1, Math.floor((scroller.current?.clientHeight ?? 400) / rowHeight) - 1) * columns,
    scrollToEntry: (index) => virtual.scrollToIndex(Math.floor(index / columns)),
  });
  const entryLayout = {
    count: entries.length,
    columns,
    left: isList ? 0 : inset,
    top: headerHeight + gap,
    width: isList ? width : tiles.width,
    height: rowHeight - gap,
    gap,
  };
  const emptySpace = useEmptySpace({ ...props, headerHeight, layout: entryLayout });
  const idOf = (entry: Entry) => `${prefix}${entry.id}`;
  const rendered = visibleRows.flatMap(({ index }) =>
    entries.slice(index * columns, (index + 1) * columns),
  );
  const active = rendered.find(({ id }) => id === selection.active);
  useListMotion(leaving, {
    list: `${props.viewPath} ${props.isPlaceholder}`,
    ...{ entries, hasMore, rendered, layout: entryLayout, isScrolling: virtual.isScrolling },
    elementOf: (entry) => document.getElementById(idOf(entry)),
  });

  const propsOf = (entry: Entry, index: number) => ({
    entry,
    id: idOf(entry),
    index,
    isSelected: selection.selected.has(entry.id),
    isActive: selection.active === entry.id,
    isRenaming: renaming === entry.id,
    path: pathOf(entry),
    folderKey: props.showsFolders ? folderKeyOf(entry) : undefined,
    on,
  });

  return (
    <div
      ref={scroller}
      role="grid"
      tabIndex={0}
      aria-label={props.label}
      aria-multiselectable="true"
      aria-rowcount={hasMore ? -1 : rowCount + 1}
      aria-activedescendant={active && idOf(active)}
      data-entries
      {...keys}
      {...emptySpace}
      className={`keyboard @container relative min-h-0 flex-1 overflow-y-auto outline-none ${selection.selected.size > 0 ? "selecting" : ""}`}
    >
      {props.above > 0 && <div aria-hidden style={{ height: props.above }} />}
      {props.header}
      <div
        ref={leaving}
        aria-hidden
        inert
        data-leaving
        className="pointer-events-none absolute inset-x-0 top-0 min-h-full overflow-clip"
        style={{ height: headerHeight + virtual.getTotalSize() }}
      />
      <div role="rowgroup" className="relative" style={{ height: virtual.getTotalSize() }}>
        {visibleRows.map((row) => {
          const top = row.start - headerHeight;
          if (isList) {
            const entry = entries[row.index];
            if (entry === undefined) return null;
            return (
              <EntryRow
                key={entry.id}
                {...propsOf(entry, row.index)}
                top={top}
                height={rowHeight}
              />
            );
          }
          const from = row.index * columns;
          return (
            <div
              key={row.key}
              role="row"
              aria-rowindex={row.index + 1}
              className="absolute grid grid-rows-[minmax(0,1fr)]"
              style={{
                transform: `translateY(${top}px)`,
                height: rowHeight - TILE_GAP,
                left: inset,
                right: inset,
                gap: TILE_GAP,
                gridTemplateColumns: `repeat(${columns}, minmax(0, 1fr))`,
              }}
            >
              {EntryTile &&
                entries
                  .slice(from, from + columns)
                  .map((entry, at) => (
                    <EntryTile
                      key={entry.id}
                      {...propsOf(entry, at)}
                      size={size}
                      peek={peeks[entry.id]}
                    />
                  ))}
            </div>
          );
        })}
      </div>
    </div>
  );
}

/** The key of the entry's folder, for display. */
function folderKeyOf(entry: Entry): string {
  const key = entry.kind === "folder" ? entry.folder.key : entry.file.key;
  return parentKey(key) || "Files";
}
