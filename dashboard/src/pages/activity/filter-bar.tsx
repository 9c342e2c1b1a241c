import { X } from "lucide-react";
import { Button } from "../../components/button.tsx";
import { Input } from "../../components/input.tsx";
import { Select } from "../../components/select.tsx";
import { localInputText, timeZoneText } from "../../text/time-zone.ts";
import { ACTION_LABELS } from "./action-labels.ts";
import { activityAddress, type Filters, isFiltered, parseFilters } from "./filters.ts";

export interface FilterBarProps {
  readonly filters: Filters;
  readonly onChange: (filters: Filters) => void;
  readonly actors: readonly { readonly id: string; readonly name: string }[];
}

const ACTIONS = [
  { value: "", label: "All actions" },
  ...Object.entries(ACTION_LABELS).map(([value, label]) => ({ value, label })),
];

const OUTCOMES = [
  { value: "", label: "Any result" },
  { value: "done", label: "Succeeded" },
  { value: "failed", label: "Failed" },
];

const TIMES = [
  { value: "", label: "Any time" },
  { value: "hour", label: "Last hour" },
  { value: "day", label: "Last 24 hours" },
  { value: "week", label: "Last 7 days" },
  { value: "month", label: "Last 30 days" },
  { value: "custom", label: "Custom range…" },
];

/** The filters, all of which are stored in the URL. */
export function FilterBar({ filters, onChange, actors }: FilterBarProps) {
  const { action, actor, outcome, span, from, to } = filters;
  const isCustom = from !== undefined || to !== undefined;
  /** Goes through the query string, so that `parseFilters` is the only place that validates. */
  const set = (name: string, value: string) => {
    const query = new URLSearchParams(activityAddress(filters).slice("/activity".length));
    query.set(name, value);
    onChange(parseFilters(query.toString()));
  };
  const setTime = (time: string) => {
    const today = localInputText(new Date()).slice(0, 10);
    const days = time === "custom" ? { from: from ?? today, to: to ?? today } : {};
    const { span: chosen } = parseFilters(`time=${time}`);
    onChange({ action, actor, outcome, span: chosen, ...days });
  };

  return (
    <div className="flex flex-col gap-2">
      <fieldset
        aria-label="Filters"
        className="grid min-w-0 grid-cols-2 gap-2 sm:grid-cols-[repeat(4,minmax(0,12rem))_auto]"
      >
        <Choice
          label="Action"
          options={ACTIONS}
          value={action}
          onChange={(to) => set("action", to)}
        />
        <Choice
          label="Who"
          options={[
            { value: "", label: "Anyone" },
            ...actors.map(({ id, name }) => ({ value: id, label: name })),
          ]}
          value={actor}
          onChange={(to) => set("actor", to)}
        />
        <Choice
          label="Result"
          options={OUTCOMES}
          value={outcome}
          onChange={(to) => set("outcome", to)}
        />
        <Choice
          label="Time"
          options={TIMES}
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
            <Day value={from} max={to} onChange={(day) => set("from", day)} />
          </label>
          <label className="flex items-center gap-2">
            to
            <Day value={to} min={from} onChange={(day) => set("to", day)} />
          </label>
          <span>{timeZoneText()}</span>
        </div>
      )}
    </div>
  );
}

interface ChoiceProps {
  readonly label: string;
  readonly options: readonly { readonly value: string; readonly label: string }[];
  readonly value: string | undefined;
  readonly onChange: (value: string) => void;
}

const Choice = ({ label, value = "", ...rest }: ChoiceProps) => (
  <Select
    aria-label={label}
    value={value}
    {...rest}
    className={`min-w-0 [&>select]:truncate ${value === "" ? "" : "[&>select]:border-accent"}`}
  />
);

interface DayProps {
  readonly value: string | undefined;
  readonly min?: string | undefined;
  readonly max?: string | undefined;
  readonly onChange: (day: string) => void;
}

const Day = ({ value = "", onChange, ...rest }: DayProps) => (
  <Input
    type="date"
    className="w-auto"
    value={value}
    {...rest}
    onChange={(event) => onChange(event.target.value)}
  />
);
