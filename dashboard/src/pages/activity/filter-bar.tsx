import { X } from "lucide-react";
import type { ReactNode } from "react";
import { Button } from "../../components/button.tsx";
import { Input } from "../../components/fields/input.tsx";
import { Select } from "../../components/fields/select.tsx";
import { usePausedText } from "../../components/fields/use-paused-text.ts";
import { formatTimeZone, toLocalInputValue } from "../../text/time-zone.ts";
import { ACTION_GROUPS, actionLabel } from "./action-groups.ts";
import {
  activityAddress,
  type Filters,
  isFiltered,
  MAX_TEXT_LENGTH,
  parseFilters,
} from "./filters.ts";

export interface FilterBarProps {
  readonly filters: Filters;
  readonly onChange: (filters: Filters) => void;
  readonly actors: readonly { readonly id: string; readonly name: string }[];
}

const ACTION_OPTIONS = [{ value: "", label: "All actions" }];

const OUTCOME_OPTIONS = [
  { value: "", label: "Any result" },
  { value: "done", label: "Succeeded" },
  { value: "failed", label: "Failed" },
];

const TIME_OPTIONS = [
  { value: "", label: "Any time" },
  { value: "hour", label: "Last hour" },
  { value: "day", label: "Last 24 hours" },
  { value: "week", label: "Last 7 days" },
  { value: "month", label: "Last 30 days" },
  { value: "custom", label: "Custom range…" },
];

/** The filters, all of which are stored in the URL. */
export function FilterBar({ filters, onChange, actors }: FilterBarProps) {
  const { action, actor, outcome, text = "", span, from, to } = filters;
  const isCustom = from !== undefined || to !== undefined;
  /** Goes through the query string, so that `parseFilters` is the only place that validates. */
  const set = (name: string, value: string) => {
    const query = new URLSearchParams(activityAddress(filters).slice("/activity".length));
    query.set(name, value);
    onChange(parseFilters(query.toString()));
  };
  const setTime = (time: string) => {
    const today = toLocalInputValue(new Date()).slice(0, 10);
    const days = time === "custom" ? { from: from ?? today, to: to ?? today } : {};
    const { span: selected } = parseFilters(`time=${time}`);
    onChange({ ...filters, from: undefined, to: undefined, span: selected, ...days });
  };
  const [typed, setTyped] = usePausedText(text, (next) => set("q", next));

  return (
    <div className="flex flex-col gap-2">
      <fieldset
        aria-label="Filters"
        className="grid min-w-0 grid-cols-2 gap-2 sm:grid-cols-[repeat(4,minmax(0,12rem))_auto] xl:grid-cols-[minmax(0,16rem)_repeat(4,minmax(0,11rem))_auto]"
      >
        <Input
          type="search"
          aria-label="Search activity"
          placeholder="Key, name or address"
          className="col-span-full h-8! border-edge text-sm pointer-coarse:h-9! xl:col-span-1"
          maxLength={MAX_TEXT_LENGTH}
          spellCheck={false}
          dir="auto"
          value={typed}
          onChange={({ target }) => setTyped(target.value)}
        />
        <FilterSelect
          label="Action"
          options={ACTION_OPTIONS}
          value={action}
          onChange={(to) => set("action", to)}
        >
          {ACTION_GROUPS.map(({ label, actions }) => (
            <optgroup key={label} label={label}>
              {actions.map((action) => (
                <option key={action} value={action}>
                  {actionLabel(action)}
                </option>
              ))}
            </optgroup>
          ))}
        </FilterSelect>
        <FilterSelect
          label="Who"
          options={[
            { value: "", label: "Anyone" },
            ...actors.map(({ id, name }) => ({ value: id, label: name })),
          ]}
          value={actor}
          onChange={(to) => set("actor", to)}
        />
        <FilterSelect
          label="Result"
          options={OUTCOME_OPTIONS}
          value={outcome}
          onChange={(to) => set("outcome", to)}
        />
        <FilterSelect
          label="Time"
          options={TIME_OPTIONS}
          value={isCustom ? "custom" : span}
          onChange={setTime}
        />
        {isFiltered(filters) && (
          <Button
            variant="quiet"
            Icon={X}
            className="justify-self-start"
            onClick={() => onChange({})}
          >
            Clear
          </Button>
        )}
      </fieldset>
      {isCustom && (
        <div className="flex flex-wrap items-center gap-2 text-muted text-sm">
          <label className="flex items-center gap-2">
            From
            <DateInput value={from} max={to} onChange={(day) => set("from", day)} />
          </label>
          <label className="flex items-center gap-2">
            to
            <DateInput value={to} min={from} onChange={(day) => set("to", day)} />
          </label>
          <span>{formatTimeZone()}</span>
        </div>
      )}
    </div>
  );
}

interface FilterSelectProps {
  readonly label: string;
  readonly options: readonly { readonly value: string; readonly label: string }[];
  readonly value: string | undefined;
  readonly onChange: (value: string) => void;
  readonly children?: ReactNode;
}

const FilterSelect = ({ label, value = "", ...rest }: FilterSelectProps) => (
  <Select
    aria-label={label}
    value={value}
    {...rest}
    isFilter
    className={`min-w-0 [&>select]:truncate ${value === "" ? "" : "[&>select]:border-accent!"}`}
  />
);

interface DateInputProps {
  readonly value: string | undefined;
  readonly min?: string | undefined;
  readonly max?: string | undefined;
  readonly onChange: (day: string) => void;
}

const DateInput = ({ value = "", onChange, ...rest }: DateInputProps) => (
  <Input
    type="date"
    className="w-auto"
    value={value}
    {...rest}
    onChange={(event) => onChange(event.target.value)}
  />
);
