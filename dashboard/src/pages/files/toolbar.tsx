import {
  ArrowDownNarrowWide,
  ArrowUpDown,
  ArrowUpNarrowWide,
  LayoutGrid,
  List,
  ListFilter,
} from "lucide-react";
import { useStore } from "../../app/store.ts";
import { useMediaQuery } from "../../app/use-media-query.ts";
import { Segmented } from "../../components/fields/segmented.tsx";
import { Select } from "../../components/fields/select.tsx";
import { IconButton } from "../../components/icon-button.tsx";
import { DetailsButton } from "./details/details-button.tsx";
import { setTileSize, tileSizeStore } from "./grid/tile-size.ts";
import { RefreshButton } from "./refresh-button.tsx";
import { SearchField } from "./search-field.tsx";
import type { FilesView, ViewOrder } from "./state/view.ts";

const ORDERS: readonly { readonly value: ViewOrder; readonly label: string }[] = [
  { value: "name", label: "Name" },
  { value: "type", label: "Type" },
  { value: "updatedAt", label: "Modified" },
  { value: "createdAt", label: "Added" },
  { value: "size", label: "Size" },
];

const LAYOUTS = [
  { value: "list", label: "List", Icon: List },
  { value: "grid", label: "Grid", Icon: LayoutGrid },
] as const;

const TILE_SIZES = [
  { value: "s", label: "Small", short: "S" },
  { value: "m", label: "Medium", short: "M" },
  { value: "l", label: "Large", short: "L" },
] as const;

export interface ToolbarProps {
  readonly view: FilesView;
  readonly onChange: (change: Partial<Omit<FilesView, "key">>) => void;
  readonly showsFilters: boolean;
  readonly onToggleFilters: () => void;
}

/** Search, sorting and layout. */
export function Toolbar({ view, onChange, showsFilters, onToggleFilters }: ToolbarProps) {
  const ascending = view.direction === "ASC";
  const tileSize = useStore(tileSizeStore);
  const isPhone = useMediaQuery("(width < 40rem)");
  const reverse = () => onChange({ direction: ascending ? "DESC" : "ASC" });
  const reverseLabel = ascending ? "Sort descending" : "Sort ascending";
  return (
    <div className="flex h-12 short:h-10 flex-none items-center gap-1 border-line border-b px-4 sm:gap-2 md:px-6 @6xl/files:h-14 @6xl/files:border-b-0 @6xl/files:pl-0">
      <SearchField value={view.query} onChange={(query) => onChange({ query })} />
      <div className="ml-auto flex items-center gap-1 sm:gap-2">
        {view.query === "" && (
          <IconButton
            label="Filter"
            Icon={ListFilter}
            aria-expanded={showsFilters}
            onClick={onToggleFilters}
          />
        )}
        <Select
          aria-label="Sort by"
          NarrowIcon={ArrowUpDown}
          isFilter
          // A phone has no room for the button beside it.
          options={isPhone ? [...ORDERS, { value: "reverse", label: reverseLabel }] : ORDERS}
          value={view.orderBy}
          onChange={(value) => {
            if (value === "reverse") reverse();
            const order = ORDERS.find((each) => each.value === value);
            if (order !== undefined) onChange({ orderBy: order.value });
          }}
        />
        <IconButton
          label={reverseLabel}
          className="max-sm:hidden"
          Icon={ascending ? ArrowUpNarrowWide : ArrowDownNarrowWide}
          onClick={reverse}
        />
        <RefreshButton />
        {view.layout === "grid" && (
          <Segmented
            label="Tile size"
            value={tileSize}
            options={TILE_SIZES}
            onChange={setTileSize}
            className="max-sm:hidden"
          />
        )}
        <Segmented
          label="Layout"
          value={view.layout}
          options={LAYOUTS}
          onChange={(layout) => onChange({ layout })}
        />
        <DetailsButton />
      </div>
    </div>
  );
}
