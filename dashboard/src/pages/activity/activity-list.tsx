import { type RefObject, useCallback, useEffect, useState } from "react";
import { Button } from "../../components/button.tsx";
import { Skeleton } from "../../components/skeleton.tsx";
import { VirtualList } from "../../components/virtual-list.tsx";
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
  const [opened, setOpened] = useState<ReadonlySet<string>>(new Set());
  const toggle = useCallback(
    (ids: readonly string[]) =>
      setOpened((before) => {
        const others = new Set([...before].filter((id) => !ids.includes(id)));
        return others.size < before.size ? others : new Set([...before, ...ids]);
      }),
    [],
  );
  useEffect(() => {
    const element = scroller.current;
    element?.addEventListener("scroll", allowMore, { passive: true });
    return () => element?.removeEventListener("scroll", allowMore);
  }, [scroller, allowMore]);

  return (
    <div>
      <VirtualList
        items={rows}
        label="Activity, newest first"
        scroller={scroller}
        estimateSize={(row) => (row?.kind === "day" ? 46 : 36)}
        hasMore={hasMore}
        mayLoad={hasMore && pageCount < maxPages}
        prefetch={PREFETCH_ROWS}
        onNearEnd={onNearEnd}
      >
        {(row) =>
          row.kind === "day" ? (
            <h2 className="pt-5 pb-1.5 font-semibold text-muted text-xs">{row.text}</h2>
          ) : (
            <ActivityLine row={row} me={me} opened={opened} onToggle={toggle} />
          )
        }
      </VirtualList>
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
