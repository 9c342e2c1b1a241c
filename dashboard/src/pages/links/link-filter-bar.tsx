import { Input } from "../../components/fields/input.tsx";
import { Select } from "../../components/fields/select.tsx";
import { type LinkFilter, type LinkKindFilter, type LinkOrder, NO_FILTER } from "./filter-links.ts";

const KINDS: readonly { readonly value: LinkKindFilter; readonly label: string }[] = [
  { value: "all", label: "All kinds" },
  { value: "read", label: "Links" },
  { value: "drop", label: "Upload requests" },
  { value: "ended", label: "Not working" },
];

const ORDERS: readonly { readonly value: LinkOrder; readonly label: string }[] = [
  { value: "newest", label: "Newest first" },
  { value: "expiry", label: "Ending first" },
  { value: "visits", label: "Most visits" },
];

export interface LinkFilterBarProps {
  readonly filter: LinkFilter;
  readonly onChange: (filter: LinkFilter) => void;
}

/** Search, kind and order of the links. */
export function LinkFilterBar({ filter, onChange }: LinkFilterBarProps) {
  const edit = (change: Partial<LinkFilter>) => {
    const next = { ...filter, ...change };
    const isSame = Object.entries(NO_FILTER).every(
      ([name, value]) => next[name as keyof LinkFilter] === value,
    );
    onChange(isSame ? NO_FILTER : next);
  };
  return (
    <div className="grid w-full grid-cols-2 gap-2 sm:grid-cols-[1fr_auto_auto]">
      <Input
        type="search"
        aria-label="Search links"
        placeholder="Search links"
        className="col-span-full h-8! border-edge text-sm pointer-coarse:h-9! sm:col-span-1"
        dir="auto"
        value={filter.text}
        onChange={({ target }) => edit({ text: target.value })}
      />
      <Select
        isFilter
        aria-label="Kind of link"
        options={KINDS}
        value={filter.kind}
        onChange={(kind) => edit({ kind: kind as LinkKindFilter })}
      />
      <Select
        isFilter
        aria-label="Order of links"
        options={ORDERS}
        value={filter.order}
        onChange={(order) => edit({ order: order as LinkOrder })}
      />
    </div>
  );
}
