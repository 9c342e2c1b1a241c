import { useVirtualizer } from "@tanstack/react-virtual";
import { useMemo, useRef } from "react";
import { FocusArea } from "../../components/focus-area.tsx";
import type { UploadsState } from "../uploads-state.ts";
import { displayOrder, type Row } from "./display-order.ts";
import { GroupRow } from "./group-row.tsx";
import { ROW, TALL_ROW } from "./row-frame.tsx";
import { itemStatus } from "./status-text.ts";
import { UploadRow } from "./upload-row.tsx";

/** The characters of a reason that surely fit on one line. */
const LINE_LENGTH = 42;

function heightOf(row: Row | undefined): number {
  if (row?.kind === "group") return row.group.state === "done" ? ROW : TALL_ROW;
  if (row === undefined) return ROW;
  const { item } = row;
  const isLong = item.state === "failed" && itemStatus(item).length > LINE_LENGTH;
  return item.state === "interrupted" || isLong ? TALL_ROW : ROW;
}

/** The virtualized list of all files and folders in the queue. */
export function UploadList({ state }: { readonly state: UploadsState }) {
  const { items, groups, totals, speeds } = state;
  const scroller = useRef<HTMLDivElement>(null);
  const order = useMemo(() => displayOrder(items, groups), [items, groups]);
  const heights = useMemo(() => order.map(heightOf), [order]);
  const virtual = useVirtualizer({
    count: order.length,
    getScrollElement: () => scroller.current,
    estimateSize: (index) => heights[index] ?? ROW,
    overscan: 6,
    paddingStart: 4,
    paddingEnd: 4,
    initialRect: { width: 400, height: 288 },
  });
  const shape = heights.join();
  // biome-ignore lint/correctness/useExhaustiveDependencies: rows with other heights need other positions.
  useMemo(() => virtual.measure(), [shape]);
  return (
    <FocusArea
      ref={scroller}
      label="Uploaded files"
      className="max-h-[min(18rem,40dvh)] overflow-y-auto border-line border-t"
    >
      <ul className="relative" style={{ height: virtual.getTotalSize() }}>
        {virtual.getVirtualItems().map(({ index, start, size }) => {
          const row = order[index];
          if (row === undefined) return null;
          const place = { index, count: order.length, top: start, height: size };
          if (row.kind === "item") {
            return <UploadRow key={row.item.id} item={row.item} {...place} />;
          }
          const { id } = row.group;
          return (
            <GroupRow
              key={id}
              group={row.group}
              totals={totals.get(id)}
              speed={speeds.get(id)}
              {...place}
            />
          );
        })}
      </ul>
    </FocusArea>
  );
}
