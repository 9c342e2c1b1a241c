import { useVirtualizer } from "@tanstack/react-virtual";
import { type RefObject, useEffect, useLayoutEffect, useRef, useState } from "react";
import { Skeleton } from "../../components/skeleton.tsx";
import { ActivityLine } from "./activity-line.tsx";
import type { Line } from "./lines.ts";

export interface ActivityListProps {
  readonly lines: readonly Line[];
  readonly me: string | undefined;
  /** The scrolling element. */
  readonly scroller: RefObject<HTMLElement | null>;
  readonly hasMore: boolean;
  readonly onNearEnd: () => void;
}

const NEAR = 20;

/** A virtualized list inside the scrolling page. */
export function ActivityList({ lines, me, scroller, hasMore, onNearEnd }: ActivityListProps) {
  const place = useRef<HTMLDivElement>(null);
  const [top, setTop] = useState(0);
  // The content above may change its height at any time.
  useLayoutEffect(() => setTop(place.current?.offsetTop ?? 0));

  const virtual = useVirtualizer({
    count: lines.length,
    getScrollElement: () => scroller.current,
    estimateSize: (index) => (lines[index]?.kind === "day" ? 52 : 64),
    getItemKey: (index) => lines[index]?.id ?? index,
    overscan: 10,
    scrollMargin: top,
  });
  const shown = virtual.getVirtualItems();
  const last = shown.at(-1)?.index ?? -1;
  useEffect(() => {
    if (hasMore && last >= lines.length - NEAR) onNearEnd();
  }, [hasMore, last, lines.length, onNearEnd]);

  return (
    <div ref={place}>
      <ul
        aria-label="Activity, newest first"
        className="relative"
        style={{ height: virtual.getTotalSize() }}
      >
        {shown.map(({ index, key, start }) => {
          const line = lines[index];
          if (line === undefined) return null;
          return (
            <li
              key={key}
              ref={virtual.measureElement}
              data-index={index}
              aria-posinset={index + 1}
              aria-setsize={hasMore ? -1 : lines.length}
              className="absolute inset-x-0 top-0"
              style={{ transform: `translateY(${start - top}px)` }}
            >
              {line.kind === "day" ? (
                <h2 className="border-line border-b pt-5 pb-2 font-semibold text-sm">
                  {line.text}
                </h2>
              ) : (
                <ActivityLine event={line.event} isGone={line.isGone} me={me} />
              )}
            </li>
          );
        })}
      </ul>
      {hasMore && <Skeleton className="mt-2 h-12" />}
    </div>
  );
}
