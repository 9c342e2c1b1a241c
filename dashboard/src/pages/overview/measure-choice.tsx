import { TrendingDown, TrendingUp } from "lucide-react";
import type { Period } from "../../../../sdk/src/holdall.ts";
import { formatBytes } from "../../../../server/rules/format-bytes.ts";
import { changeOf } from "./change-of.ts";
import { PERIODS } from "./periods.ts";

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
  /** The total of the time before. */
  readonly before: number;
  readonly period: Period;
  readonly onChoose: () => void;
}

/** A total, with its change, which chooses what the chart shows. */
export function MeasureChoice(props: MeasureChoiceProps) {
  const { measure, isChosen, total, before, period, onChoose } = props;
  const { title, format } = MEASURE_TEXTS[measure];
  const change = changeOf(total, before);
  const span = PERIODS.find(({ value }) => value === period)?.label;
  const Trend = total < before ? TrendingDown : TrendingUp;
  return (
    <label className="relative flex min-w-0 cursor-pointer flex-col rounded-md border border-line px-3 py-2 transition-colors hover:border-edge has-checked:border-accent has-checked:bg-accent-soft has-focus-visible:outline-2 has-focus-visible:outline-accent sm:min-w-44">
      <input
        type="radio"
        name="traffic-measure"
        checked={isChosen}
        onChange={onChoose}
        className="absolute inset-0 cursor-pointer appearance-none opacity-0"
      />
      <span className="text-muted text-sm">{title}</span>
      <span className="flex flex-wrap items-baseline gap-x-2">
        <span className="font-semibold text-xl tabular-nums">{format(total)}</span>
        {change !== undefined && (
          <span
            data-tooltip={`${format(before)} in the ${span} before`}
            className="relative flex items-center gap-1 text-muted text-xs tabular-nums"
          >
            {total !== before && <Trend aria-hidden className="size-3.5" />}
            {change}
            <span className="sr-only">compared with the {span} before</span>
          </span>
        )}
      </span>
    </label>
  );
}
