import { TrendingDown, TrendingUp } from "lucide-react";
import { formatBytes } from "../../../../contract/text/format-bytes.ts";
import type { Period } from "../../../../sdk/src/holdall.ts";
import { changeOf } from "./change-of.ts";
import { PERIODS } from "./periods.ts";
import { Sparkline } from "./sparkline.tsx";

export type Measure = "requests" | "bytes";

const count = new Intl.NumberFormat();

export const MEASURE_TEXTS = {
  requests: { title: "Requests", format: (value: number) => count.format(value) },
  bytes: { title: "Bandwidth", format: formatBytes },
} as const;

export interface MeasureChoiceProps {
  readonly measure: Measure;
  readonly isChosen: boolean;
  readonly total: number;
  /** The value of each complete hour or day, from the oldest to the newest. */
  readonly values: readonly number[];
  /** The total of the time before. */
  readonly before: number;
  readonly period: Period;
  readonly onChoose: () => void;
}

/** A total, with its course and its change, which chooses what the chart shows. */
export function MeasureChoice(props: MeasureChoiceProps) {
  const { measure, isChosen, total, values, before, period, onChoose } = props;
  const { title, format } = MEASURE_TEXTS[measure];
  const change = changeOf(total, before);
  const span = PERIODS.find(({ value }) => value === period)?.label;
  const Trend = change?.trend === "down" ? TrendingDown : TrendingUp;
  return (
    <label className="relative grid min-w-0 flex-1 cursor-pointer content-start gap-x-4 gap-y-1 rounded-md border border-line px-3 py-2 transition-colors hover:border-edge has-checked:border-accent has-checked:bg-accent-soft has-focus-visible:outline-2 has-focus-visible:outline-accent md:grid-cols-[auto_minmax(0,1fr)]">
      <input
        type="radio"
        name="traffic-measure"
        checked={isChosen}
        onChange={onChoose}
        className="absolute inset-0 cursor-pointer appearance-none opacity-0"
      />
      <span>
        <span className="block text-muted text-sm">{title}</span>
        <span className="font-semibold text-xl tabular-nums">{format(total)}</span>
      </span>
      <span className="flex items-end">
        <Sparkline values={values} />
      </span>
      {change !== undefined && (
        <span
          data-tooltip={`${format(before)} in the ${span} before`}
          className="relative flex items-start gap-1.5 text-muted text-xs tabular-nums md:col-span-2"
        >
          {change.trend !== "same" && <Trend aria-hidden className="mt-px size-3.5 flex-none" />}
          <span>
            {upperFirst(change.text)} the {span} before
          </span>
        </span>
      )}
    </label>
  );
}

const upperFirst = (text: string): string => text.slice(0, 1).toUpperCase() + text.slice(1);
