import { useMemo, useState } from "react";
import type { TrashItem } from "../../../../sdk/src/holdall.ts";

export interface TrashSelection {
  /** The selected items that are still in the trash. */
  readonly selected: readonly TrashItem[];
  readonly isSelected: (item: TrashItem) => boolean;
  readonly toggle: (item: TrashItem) => void;
  readonly select: (items: readonly TrashItem[]) => void;
  readonly clear: () => void;
}

/** Which items of the trash are selected. */
export function useTrashSelection(items: readonly TrashItem[]): TrashSelection {
  const [ids, setIds] = useState<ReadonlySet<string>>(new Set());
  return useMemo(
    () => ({
      selected: ids.size === 0 ? [] : items.filter(({ id }) => ids.has(id)),
      isSelected: ({ id }) => ids.has(id),
      toggle: ({ id }) =>
        setIds((before) => {
          const after = new Set(before);
          if (!after.delete(id)) after.add(id);
          return after;
        }),
      select: (chosen) => setIds(new Set(chosen.map(({ id }) => id))),
      clear: () => setIds(new Set()),
    }),
    [ids, items],
  );
}
