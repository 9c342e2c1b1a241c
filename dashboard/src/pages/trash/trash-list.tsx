import { type RefObject, useRef } from "react";
import type { TrashItem } from "../../../../sdk/src/holdall.ts";
import { Skeleton } from "../../components/skeleton.tsx";
import { VirtualList } from "../../components/virtual-list.tsx";
import { TrashRow } from "./trash-row.tsx";
import type { Busy } from "./use-busy-items.ts";
import { useFocusAfterRemoval } from "./use-focus-after-removal.ts";

export interface TrashListProps {
  readonly items: readonly TrashItem[];
  readonly isSelected: (item: TrashItem) => boolean;
  /** The operations that run on items now, by the items' ids. */
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
  const list = useRef<HTMLUListElement>(null);
  useFocusAfterRemoval(list, items);

  return (
    <>
      <VirtualList
        items={items}
        label="Deleted files and folders, latest first"
        list={list}
        scroller={scroller}
        estimateSize={() => 64}
        hasMore={hasMore}
        mayLoad={hasMore}
        prefetch={PREFETCH_ROWS}
        onNearEnd={onNearEnd}
      >
        {(item) => (
          <TrashRow
            item={item}
            isSelected={isSelected(item)}
            busy={busy.get(item.id)}
            onToggle={() => props.onToggle(item)}
            onRestore={() => props.onRestore([item])}
            onDelete={() => props.onDelete([item])}
          />
        )}
      </VirtualList>
      {hasMore && <Skeleton className="mt-2 h-12" />}
    </>
  );
}
