// biome-ignore-all lint/a11y/useSemanticElements: a virtualized grid cannot be a table element.
// biome-ignore-all lint/a11y/useFocusableInteractive: the grid has the focus as a whole.
import { ArrowDown, ArrowUp } from "lucide-react";
import { Checkbox } from "../../../components/fields/checkbox.tsx";
import type { FilesView, ViewOrder } from "../state/view.ts";
import { COLUMNS } from "./columns.ts";

export interface ListHeaderProps {
  readonly view: FilesView;
  readonly onSort: (orderBy: ViewOrder) => void;
  readonly selected: "none" | "some" | "all";
  readonly onToggleAll: () => void;
}

/** Column headers with "Select all" and sorting. */
export function ListHeader({ view, onSort, selected, onToggleAll }: ListHeaderProps) {
  const column = (orderBy: ViewOrder, label: string, className: string) => (
    <SortCell view={view} orderBy={orderBy} label={label} onSort={onSort} className={className} />
  );
  return (
    <div role="rowgroup" data-list-header className="sticky top-0 z-10">
      <div
        role="row"
        aria-rowindex={1}
        className={`${COLUMNS} h-[36px] border-line border-b bg-canvas px-4 text-muted text-xs md:px-6`}
      >
        <span role="columnheader" className="flex items-center">
          <Checkbox
            aria-label="Select all"
            checked={selected === "all"}
            indeterminate={selected === "some"}
            onChange={onToggleAll}
          />
        </span>
        {column("name", "Name", "")}
        {column("type", "Type", "hidden @3xl:flex")}
        {column("size", "Size", "hidden justify-end @lg:flex")}
        {column("updatedAt", "Modified", "hidden justify-end @lg:flex")}
        <span role="columnheader">
          <span className="sr-only">Actions</span>
        </span>
      </div>
    </div>
  );
}

interface SortCellProps {
  readonly view: FilesView;
  readonly orderBy: ViewOrder;
  readonly label: string;
  readonly onSort: (orderBy: ViewOrder) => void;
  readonly className: string;
}

function SortCell({ view, orderBy, label, onSort, className }: SortCellProps) {
  const isCurrent = view.orderBy === orderBy;
  const ascending = view.direction === "ASC";
  const Arrow = ascending ? ArrowUp : ArrowDown;
  return (
    <span
      role="columnheader"
      aria-sort={isCurrent ? (ascending ? "ascending" : "descending") : "none"}
      className={`flex ${className}`}
    >
      <button
        type="button"
        onClick={() => onSort(orderBy)}
        className={`-mx-2 flex items-center gap-1 rounded-sm px-2 py-1 font-medium hover:bg-press hover:text-ink ${isCurrent ? "text-ink" : ""}`}
      >
        {label}
        <Arrow aria-hidden className={`size-3 ${isCurrent ? "" : "hidden"}`} />
      </button>
    </span>
  );
}
