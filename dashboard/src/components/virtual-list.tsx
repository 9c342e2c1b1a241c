import { useVirtualizer } from "@tanstack/react-virtual";
import {
  type ReactNode,
  type RefObject,
  useEffect,
  useLayoutEffect,
  useRef,
  useState,
} from "react";

export interface VirtualListProps<Item extends { readonly id: string }> {
  readonly items: readonly Item[];
  readonly label: string;
  /** The element of the list, for its owner. */
  readonly list?: RefObject<HTMLUListElement | null>;
  /** The scrolling element. */
  readonly scroller: RefObject<HTMLElement | null>;
  /** The probable height of an item, in pixels. */
  readonly estimateSize: (item: Item | undefined) => number;
  /** Whether there are items that are not loaded. */
  readonly hasMore: boolean;
  /** Called when this number of items, or fewer, follows the last one that is shown. */
  readonly onNearEnd: () => void;
  readonly prefetch: number;
  /** Whether `onNearEnd` may be called now. */
  readonly mayLoad: boolean;
  readonly children: (item: Item) => ReactNode;
}

/** A list inside the scrolling page, of which only what can be seen is rendered. */
export function VirtualList<Item extends { readonly id: string }>(props: VirtualListProps<Item>) {
  const { items, label, scroller, hasMore, onNearEnd, prefetch, mayLoad, children } = props;
  const own = useRef<HTMLUListElement>(null);
  const list = props.list ?? own;
  const [top, setTop] = useState(0);
  // The content above may change its height at any time.
  useLayoutEffect(() => setTop(list.current?.offsetTop ?? 0));

  const virtual = useVirtualizer({
    count: items.length,
    getScrollElement: () => scroller.current,
    estimateSize: (index) => props.estimateSize(items[index]),
    getItemKey: (index) => items[index]?.id ?? index,
    overscan: 10,
    scrollMargin: top,
  });
  const visible = virtual.getVirtualItems();
  const last = visible.at(-1)?.index ?? -1;
  useEffect(() => {
    if (mayLoad && last >= items.length - prefetch) onNearEnd();
  }, [mayLoad, last, items.length, prefetch, onNearEnd]);

  return (
    <ul
      ref={list}
      aria-label={label}
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
            {children(item)}
          </li>
        );
      })}
    </ul>
  );
}
