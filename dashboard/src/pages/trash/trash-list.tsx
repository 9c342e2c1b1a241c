import { useVirtualizer } from "@tanstack/react-virtual";
import { type RefObject, useEffect, useLayoutEffect, useRef, useState } from "react";
import type { TrashItem } from "../../../../sdk/src/holdall.ts";
import { Skeleton } from "../../components/skeleton.tsx";
import { TrashRow } from "./trash-row.tsx";
import type { Busy } from "./use-busy-items.ts";
import { useFocusAfterRemoval } from "./use-focus-after-removal.ts";

export interface TrashListProps {
  readonly items: readonly TrashItem[];
  readonly isSelected: (item: TrashItem) => boolean;
  /** What happens to items now, by their ids. */
  readonly busy: ReadonlyMap<string, Busy>;
  /** The scrolling element. */
  readonly scroller: RefObject<HTMLElement | null>;
  readonly hasMore: boolean;
  readonly onNearEnd: () => void;
  readonly onToggle: (item: TrashItem) => void;
  readonly onRestore: (items: readonly TrashItem[]) => void;
  readonly onDelete: (items: readonly TrashItem[]) => void;
}

const PREFETCH_ROWS = 40;

/** A virtualized list inside the scrolling page. */
export function TrashList(props: TrashListProps) {
  const { items, isSelected, busy, scroller, hasMore, onNearEnd } = props;
  const container = useRef<HTMLUListElement>(null);
  const [top, setTop] = useState(0);
  // The content above may change its height at any time.
  useLayoutEffect(() => setTop(container.current?.offsetTop ?? 0));
  useFocusAfterRemoval(container, items);

  const virtual = useVirtualizer({
    count: items.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => 64,
    getItemKey: (index) => items[index]?.id ?? index,
    overscan: 10,
    scrollMargin: top,
  });
  const visible = virtual.getVirtualItems();
  const last = visible.at(-1)?.index ?? -1;
  useEffect(() => {
    if (hasMore && last >= items.length - PREFETCH_ROWS) onNearEnd();
  }, [hasMore, last, items.length, onNearEnd]);

  return (
    <>
      <ul
        ref={container}
        aria-label="Deleted files and folders, latest first"
        className="relative"
        style={{ height: virtual.getTotalSize() }}
      >
        {visible.map(({ index, key, start }) => {
          const item = items[index];
          if (item === undefined) return null;
          return (
            <li
              key={key}
              ref={virtual.measureElement}
              data-index={index}
              aria-posinset={index + 1}
              aria-setsize={hasMore ? -1 : items.length}
              className="absolute inset-x-0 top-0"
              style={{ transform: `translateY(${start - top}px)` }}
            >
              <TrashRow
                item={item}
                isSelected={isSelected(item)}
                busy={busy.get(item.id)}
                onToggle={() => props.onToggle(item)}
                onRestore={() => props.onRestore([item])}
                onDelete={() => props.onDelete([item])}
              />
            </li>
          );
        })}
      </ul>
      {hasMore && <Skeleton className="mt-2 h-12" />}
    </>
  );
}
