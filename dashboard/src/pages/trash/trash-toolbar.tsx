import { RotateCcw, Trash2 } from "lucide-react";
import { formatBytes } from "../../../../contract/text/format-bytes.ts";
import type { TrashItem, TrashTotals } from "../../../../sdk/src/holdall.ts";
import { Button } from "../../components/button.tsx";
import { Checkbox } from "../../components/fields/checkbox.tsx";
import { formatCount } from "../../text/format-count.ts";
import { NEEDS } from "../files/actions/needs.ts";

export interface TrashToolbarProps {
  readonly totals: TrashTotals | undefined;
  readonly selected: readonly TrashItem[];
  /** Every item is selected. */
  readonly isAll: boolean;
  readonly onSelectAll: () => void;
  readonly onClear: () => void;
  readonly onRestore: (items: readonly TrashItem[]) => void;
  readonly onDelete: (items: readonly TrashItem[]) => void;
}

/** "Select all", the totals, and the actions for the selection. Stays in view. */
export function TrashToolbar(props: TrashToolbarProps) {
  const { totals, selected, isAll, onSelectAll, onClear, onRestore, onDelete } = props;
  const hasSelection = selected.length > 0;
  return (
    <div
      role="toolbar"
      aria-label="Selection"
      className={`sticky top-0 z-10 flex min-h-12 flex-wrap items-center gap-x-3 gap-y-1 rounded-t-lg border-line border-b px-3 py-1.5 sm:px-4 ${hasSelection ? "bg-accent-soft" : "bg-surface"}`}
    >
      <Checkbox
        aria-label="Select all"
        checked={isAll}
        indeterminate={hasSelection && !isAll}
        onChange={() => (hasSelection ? onClear() : onSelectAll())}
      />
      <p role="status" className="mr-auto min-w-0 truncate text-sm tabular-nums">
        {hasSelection ? (
          <span className="font-medium">
            {formatCount(selected.length, "selected", "selected")}
          </span>
        ) : (
          <span className="text-muted">{totals && formatTotals(totals)}</span>
        )}
      </p>
      {hasSelection && (
        <>
          <Button
            size="sm"
            variant="quiet"
            Icon={RotateCcw}
            needs={NEEDS.restore}
            onClick={() => onRestore(selected)}
            aria-label="Restore selected"
          >
            Restore
          </Button>
          <Button
            size="sm"
            variant="quiet"
            Icon={Trash2}
            needs={NEEDS.destroy}
            className="text-bad!"
            onClick={() => onDelete(selected)}
          >
            Delete permanently…
          </Button>
        </>
      )}
    </div>
  );
}

const formatTotals = ({ items, files, bytes }: TrashTotals): string =>
  `${formatCount(items, "item")}, ${formatCount(files, "file")}, ${formatBytes(bytes)}`;
