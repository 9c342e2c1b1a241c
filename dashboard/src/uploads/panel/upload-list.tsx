import { useVirtualizer } from "@tanstack/react-virtual";
import { useMemo, useRef } from "react";
import { FocusArea } from "../../components/focus-area.tsx";
import type { Queue } from "../queue.ts";
import { displayOrder } from "./display-order.ts";
import { UploadRow } from "./upload-row.tsx";

const ROW = 60;

/** The virtualized list of all items in the queue. */
export function UploadList({ items }: { readonly items: Queue }) {
  const scroller = useRef<HTMLDivElement>(null);
  const order = useMemo(() => displayOrder(items), [items]);
  const virtual = useVirtualizer({
    count: order.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => ROW,
    overscan: 6,
    paddingStart: 4,
    paddingEnd: 4,
    initialRect: { width: 400, height: 288 },
  });
  return (
    <FocusArea
      ref={scroller}
      label="Uploaded files"
      className="max-h-[min(18rem,40dvh)] overflow-y-auto border-line border-t"
    >
      <ul className="relative" style={{ height: virtual.getTotalSize() }}>
        {virtual.getVirtualItems().map(({ index, start }) => {
          const item = order[index];
          return (
            item && (
              <UploadRow
                key={item.id}
                item={item}
                index={index}
                count={order.length}
                top={start}
                height={ROW}
              />
            )
          );
        })}
      </ul>
    </FocusArea>
  );
}
