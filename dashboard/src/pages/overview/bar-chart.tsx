import type { KeyboardEvent, PointerEvent, ReactNode } from "react";
import { ticksFor } from "./ticks.ts";
import type { AxisLabel } from "./traffic-buckets.ts";

export interface Bar {
  readonly value: number;
  /** The part of the value that failed, drawn at the bottom. */
  readonly failed?: number;
  /** Full description, for screen readers. */
  readonly text: string;
}

export interface BarChartProps {
  readonly label: string;
  readonly bars: readonly Bar[];
  readonly axisLabels: readonly AxisLabel[];
  readonly format: (value: number) => string;
  /** Index of the highlighted bar. */
  readonly active: number | undefined;
  readonly onActive: (index: number | undefined) => void;
  /** Tooltip of the highlighted bar. */
  readonly tooltip: ReactNode;
}

const DENSE_FROM = 60;
/** The chart has room for at least this many bars. Missing ones leave space on the right. */
const MIN_SLOTS = 24;

/** Striped, so that it can be recognised without seeing its color. */
export const ERROR_CLASS =
  "forced-color-adjust-none bg-bad-solid bg-[repeating-linear-gradient(135deg,transparent_0_3px,var(--color-surface)_3px_4px)]";

/**
 * A bar chart over time. The mouse highlights the bar below it; for keyboard and screen readers the
 * chart is a slider along the bars.
 */
export function BarChart(props: BarChartProps) {
  const { label, bars, axisLabels, format, active, onActive, tooltip } = props;
  const ticks = ticksFor(Math.max(0, ...bars.map(({ value }) => value)));
  const max = ticks.at(-1) ?? 1;
  const heightOf = (value: number) => `${(value / max) * 100}%`;
  const slots = Math.max(MIN_SLOTS, bars.length);
  const xOf = (index: number) => `${((index + 0.5) / slots) * 100}%`;
  const width = `${(bars.length / slots) * 100}%`;

  /** Whether a centered label would overflow the chart. */
  const isNearEdge = (index: number) => (index + 0.5) / slots > 0.94;

  const handlePointer = ({ currentTarget, clientX }: PointerEvent<HTMLElement>) => {
    const { left, width } = currentTarget.getBoundingClientRect();
    onActive(clamp(Math.floor(((clientX - left) / width) * bars.length), bars.length));
  };
  const handleKey = (event: KeyboardEvent) => {
    const next = nextIndex(event.key, active ?? bars.length - 1, bars.length);
    if (next === undefined) return;
    event.preventDefault();
    onActive(next);
  };
  const current = active ?? bars.length - 1;

  return (
    <div className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-2 text-muted text-xs">
      <div aria-hidden className="relative h-44 min-w-8 tabular-nums">
        {ticks.map((tick) => (
          <span
            key={tick}
            className="absolute right-0 translate-y-1/2 whitespace-nowrap"
            style={{ bottom: heightOf(tick) }}
          >
            {format(tick)}
          </span>
        ))}
        {/* Reserves the width of the widest label. */}
        {ticks.map((tick) => (
          <span key={tick} className="invisible block h-0 whitespace-nowrap">
            {format(tick)}
          </span>
        ))}
      </div>
      <div className="relative h-44">
        {ticks.map((tick) => (
          <span
            key={tick}
            className={`absolute inset-x-0 border-t ${tick === 0 ? "border-control" : "border-line"}`}
            style={{ bottom: heightOf(tick) }}
          />
        ))}
        <div
          aria-hidden
          className={`absolute inset-y-0 left-0 flex items-end ${bars.length > DENSE_FROM ? "" : "gap-px sm:gap-0.5"}`}
          style={{ width }}
        >
          {bars.map(({ value, failed = 0, text }, index) => (
            <div
              key={text}
              className={`flex h-full min-w-0 flex-1 flex-col justify-end ${active === undefined || index === active ? "" : "opacity-40"}`}
            >
              <div
                className={`forced-fill bg-accent ${bars.length > DENSE_FROM ? "" : "rounded-t-sm"} ${value > failed ? "min-h-0.5" : ""}`}
                style={{ height: heightOf(value - failed) }}
              />
              <div
                className={`${ERROR_CLASS} ${failed > 0 ? "min-h-0.5 border-canvas border-t" : ""}`}
                style={{ height: heightOf(failed) }}
              />
            </div>
          ))}
        </div>
        <div
          role="slider"
          tabIndex={0}
          aria-label={label}
          aria-orientation="horizontal"
          aria-valuemin={1}
          aria-valuemax={bars.length}
          aria-valuenow={current + 1}
          aria-valuetext={bars[current]?.text}
          className="absolute inset-y-0 left-0 touch-pan-y outline-offset-4"
          style={{ width }}
          onPointerMove={handlePointer}
          onPointerDown={handlePointer}
          onPointerLeave={() => onActive(undefined)}
          onFocus={(event) => {
            if (event.currentTarget.matches(":focus-visible")) onActive(current);
          }}
          onBlur={() => onActive(undefined)}
          onKeyDown={handleKey}
        />
        {active !== undefined && (
          <div
            className={`pointer-events-none absolute -top-3 z-10 w-max max-w-full rounded-md bg-ink px-2.5 py-1.5 text-canvas shadow-pop ${active < slots / 2 ? "ml-3" : "-translate-x-full -ml-3"}`}
            style={{ left: xOf(active) }}
          >
            {tooltip}
          </div>
        )}
      </div>
      <div aria-hidden className="relative col-start-2 mt-1.5 h-4">
        {axisLabels.map(({ index, text }) => (
          <span
            key={index}
            className={`absolute whitespace-nowrap ${isNearEdge(index) ? "right-0" : "-translate-x-1/2"}`}
            style={isNearEdge(index) ? {} : { left: xOf(index) }}
          >
            {text}
          </span>
        ))}
      </div>
    </div>
  );
}

const clamp = (index: number, count: number): number => Math.min(count - 1, Math.max(0, index));

function nextIndex(key: string, from: number, count: number): number | undefined {
  const page = Math.max(2, Math.round(count / 7));
  const steps: Record<string, number> = {
    ArrowLeft: from - 1,
    ArrowDown: from - 1,
    ArrowRight: from + 1,
    ArrowUp: from + 1,
    PageDown: from - page,
    PageUp: from + page,
    Home: 0,
    End: count - 1,
  };
  const next = steps[key];
  return next === undefined ? undefined : clamp(next, count);
}
