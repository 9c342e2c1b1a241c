import { Button } from "../../components/button.tsx";
import { Select } from "../../components/select.tsx";
import { NO_FILTERS, type SearchFilters } from "./state/search-filters.ts";

const FILTERS = [
  {
    name: "type",
    label: "Type",
    options: [
      { value: "", label: "Any type" },
      { value: "image/*", label: "Images" },
      { value: "video/*", label: "Videos" },
      { value: "audio/*", label: "Audio" },
      { value: "application/pdf", label: "PDF" },
      { value: "text/*", label: "Text" },
    ],
  },
  {
    name: "updated",
    label: "Modified",
    options: [
      { value: "", label: "Any time" },
      { value: "day", label: "Last 24 hours" },
      { value: "week", label: "Last 7 days" },
      { value: "month", label: "Last 30 days" },
      { value: "year", label: "Last 365 days" },
    ],
  },
  {
    name: "size",
    label: "Size",
    options: [
      { value: "", label: "Any size" },
      { value: "small", label: "Up to 1 MB" },
      { value: "medium", label: "1 to 100 MB" },
      { value: "large", label: "100 MB and more" },
    ],
  },
  {
    name: "visibility",
    label: "Visibility",
    options: [
      { value: "", label: "Public and private" },
      { value: "public", label: "Public" },
      { value: "private", label: "Private" },
    ],
  },
] as const;

export interface SearchFilterBarProps {
  readonly filters: SearchFilters;
  readonly onChange: (filters: SearchFilters) => void;
}

/** The filters of a search. With one of them, only files are found. */
export function SearchFilterBar({ filters, onChange }: SearchFilterBarProps) {
  const isFiltering = Object.values(filters).some((value) => value !== "");
  return (
    <fieldset
      aria-label="Search filters"
      className="flex min-h-12 flex-none flex-wrap items-center gap-2 border-line border-b px-4 py-2 md:px-6"
    >
      {FILTERS.map(({ name, label, options }) => (
        <Select
          key={name}
          aria-label={label}
          className="[&_select]:h-8 [&_select]:border-edge [&_select]:text-sm [&_svg]:top-2"
          options={options}
          value={filters[name]}
          onChange={(value) => onChange({ ...filters, [name]: value })}
        />
      ))}
      {isFiltering && (
        <Button size="sm" variant="quiet" onClick={() => onChange(NO_FILTERS)}>
          Clear filters
        </Button>
      )}
    </fieldset>
  );
}
