import { Button } from "../../components/button.tsx";
import { Select } from "../../components/fields/select.tsx";
import { displayName } from "../../text/key-parts.ts";
import { isFiltering, NO_FILTERS } from "./state/search-filters.ts";
import { type FilesView, isSearch } from "./state/view.ts";

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
  readonly view: FilesView;
  readonly onChange: (change: Partial<Pick<FilesView, "filters" | "scope">>) => void;
}

/** The place and the filters of a search. With a filter, only files are found. */
export function SearchFilterBar({ view, onChange }: SearchFilterBarProps) {
  const { key, filters, scope } = view;
  return (
    <fieldset
      aria-label="Search filters"
      className="flex min-h-12 flex-none flex-wrap items-center gap-2 border-line border-b px-4 py-2 md:px-6"
    >
      {key !== "" && isSearch(view) && (
        <Select
          aria-label="Search in"
          className="max-w-full"
          isFilter
          options={[
            { value: "all", label: "All folders" },
            { value: "folder", label: `In “${displayName(key)}”` },
          ]}
          value={scope}
          onChange={(value) => onChange({ scope: value === "folder" ? value : "all" })}
        />
      )}
      {FILTERS.map(({ name, label, options }) => (
        <Select
          key={name}
          aria-label={label}
          isFilter
          options={options}
          value={filters[name]}
          onChange={(value) => onChange({ filters: { ...filters, [name]: value } })}
        />
      ))}
      {isFiltering(filters) && (
        <Button size="sm" variant="quiet" onClick={() => onChange({ filters: NO_FILTERS })}>
          Clear filters
        </Button>
      )}
    </fieldset>
  );
}
