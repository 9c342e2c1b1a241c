import { useVirtualizer } from "@tanstack/react-virtual";
import { type RefObject, useCallback, useEffect, useLayoutEffect, useRef, useState } from "react";
import { Button } from "../../components/button.tsx";
import { Skeleton } from "../../components/skeleton.tsx";
import { ActivityGroup } from "./activity-group.tsx";
import { ActivityItem } from "./activity-item.tsx";
import type { ActivityRow } from "./activity-rows.ts";

export interface ActivityListProps {
  readonly rows: readonly ActivityRow[];
  readonly me: string | undefined;
  /** The scrolling element. */
  readonly scroller: RefObject<HTMLElement | null>;
  readonly hasMore: boolean;
  /** How many pages of entries are loaded. */
  readonly pageCount: number;
  readonly onNearEnd: () => void;
}

const PREFETCH_ROWS = 20;
/** Hundreds of entries may be a single line: without scrolling, no more pages are loaded. */
const UNSCROLLED_PAGES = 4;

/** A virtualized list inside the scrolling page. */
export function ActivityList(props: ActivityListProps) {
  const { rows, me, scroller, hasMore, pageCount, onNearEnd } = props;
  const [maxPages, setMaxPages] = useState(UNSCROLLED_PAGES);
  const allowMore = useCallback(() => setMaxPages(pageCount + UNSCROLLED_PAGES), [pageCount]);
  const container = useRef<HTMLDivElement>(null);
  const [top, setTop] = useState(0);
  const [opened, setOpened] = useState<ReadonlySet<string>>(new Set());
  const toggle = useCallback(
    (ids: readonly string[]) =>
      setOpened((before) => {
        const others = new Set([...before].filter((id) => !ids.includes(id)));
        return others.size < before.size ? others : new Set([...before, ...ids]);
      }),
    [],
  );
  // The content above may change its height at any time.
  useLayoutEffect(() => setTop(container.current?.offsetTop ?? 0));

  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: (index) => (rows[index]?.kind === "day" ? 46 : 36),
    getItemKey: (index) => rows[index]?.id ?? index,
    overscan: 10,
    scrollMargin: top,
  });
  const visibleItems = virtual.getVirtualItems();
  const last = visibleItems.at(-1)?.index ?? -1;
  useEffect(() => {
    if (hasMore && pageCount < maxPages && last >= rows.length - PREFETCH_ROWS) onNearEnd();
  }, [hasMore, pageCount, maxPages, last, rows.length, onNearEnd]);
  useEffect(() => {
    const element = scroller.current;
    element?.addEventListener("scroll", allowMore, { passive: true });
    return () => element?.removeEventListener("scroll", allowMore);
  }, [scroller, allowMore]);

  return (
    <div ref={container}>
      <ul
        aria-label="Activity, newest first"
        className="relative"
        style={{ height: virtual.getTotalSize() }}
      >
        {visibleItems.map(({ index, key, start }) => {
          const row = rows[index];
          if (row === undefined) return null;
          return (
            <li
              key={key}
              ref={virtual.measureElement}
              data-index={index}
              aria-posinset={index + 1}
              aria-setsize={hasMore ? -1 : rows.length}
              className="absolute inset-x-0 top-0"
              style={{ transform: `translateY(${start - top}px)` }}
            >
              {row.kind === "day" ? (
                <h2 className="pt-5 pb-1.5 font-semibold text-muted text-xs">{row.text}</h2>
              ) : (
                <ActivityLine row={row} me={me} opened={opened} onToggle={toggle} />
              )}
            </li>
          );
        })}
      </ul>
      {hasMore && pageCount < maxPages && <Skeleton className="mt-2 h-9" />}
      {hasMore && pageCount >= maxPages && (
        <Button className="mt-2" onClick={allowMore}>
          Load more
        </Button>
      )}
    </div>
  );
}

interface ActivityLineProps {
  readonly row: Extract<ActivityRow, { readonly kind: "event" }>;
  readonly me: string | undefined;
  /** The ids of the events whose line is open: a line may get more events. */
  readonly opened: ReadonlySet<string>;
  readonly onToggle: (ids: readonly string[]) => void;
}

function ActivityLine({ row, me, opened, onToggle }: ActivityLineProps) {
  const { event, isDeleted, entries } = row;
  if (entries.length === 0) return <ActivityItem event={event} isDeleted={isDeleted} me={me} />;
  const ids = entries.map((entry) => entry.event.id);
  return (
    <ActivityGroup
      {...{ event, isDeleted, entries, me }}
      isOpen={ids.some((id) => opened.has(id))}
      onToggle={() => onToggle(ids)}
    />
  );
}
