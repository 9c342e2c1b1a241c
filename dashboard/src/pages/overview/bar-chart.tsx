import { type KeyboardEvent, type PointerEvent, type ReactNode, useState } from "react";
import type { Mark } from "./spells.ts";
import { ticksFor } from "./ticks.ts";

export interface Bar {
  readonly value: number;
  /** The part of the value that failed, drawn at the bottom. */
  readonly bad?: number;
  /** Full description, for screen readers. */
  readonly text: string;
}

export interface BarChartProps {
  readonly label: string;
  readonly bars: readonly Bar[];
  readonly marks: readonly Mark[];
  readonly format: (value: number) => string;
  /** Index of the highlighted bar. */
  readonly active: number | undefined;
  readonly onActive: (index: number | undefined) => void;
  /** Tooltip of the highlighted bar. */
  readonly tip: ReactNode;
}

const MANY = 60;

/** Striped, so that it can be recognised without seeing its color. */
export const BAD_LOOK =
  "bg-bad-solid bg-[repeating-linear-gradient(135deg,transparent_0_3px,var(--color-surface)_3px_4px)]";

/**
 * A bar chart over time. The mouse highlights the bar below it; for keyboard and screen readers the
 * chart is a slider along the bars.
 */
export function BarChart(props: BarChartProps) {
  const { label, bars, marks, format, active, onActive, tip } = props;
  /** Whether this chart has the pointer or focus; the other chart highlights the same bar. */
  const [inUse, setInUse] = useState(false);
  const look = (index: number | undefined) => {
    setInUse(index !== undefined);
    onActive(index);
  };
  const ticks = ticksFor(Math.max(0, ...bars.map(({ value }) => value)));
  const top = ticks.at(-1) ?? 1;
  const percent = (value: number) => `${(value / top) * 100}%`;
  const along = (index: number) => `${((index + 0.5) / bars.length) * 100}%`;

  /** Whether a centered label would overflow the chart. */
  const isAtEnd = (index: number) => (index + 0.5) / bars.length > 0.94;

  const point = ({ currentTarget, clientX }: PointerEvent<HTMLElement>) => {
    const { left, width } = currentTarget.getBoundingClientRect();
    look(clamp(Math.floor(((clientX - left) / width) * bars.length), bars.length));
  };
  const press = (event: KeyboardEvent) => {
    const next = stepOf(event.key, active ?? bars.length - 1, bars.length);
    if (next === undefined) return;
    event.preventDefault();
    look(next);
  };
  const shown = active ?? bars.length - 1;

  return (
    <div className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-2 text-muted text-xs">
      <div aria-hidden className="relative h-44 min-w-8 tabular-nums">
        {ticks.map((tick) => (
          <span
            key={tick}
            className="absolute right-0 translate-y-1/2 whitespace-nowrap"
            style={{ bottom: percent(tick) }}
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
            style={{ bottom: percent(tick) }}
          />
        ))}
        <div
          aria-hidden
          className={`absolute inset-0 flex items-end ${bars.length > MANY ? "" : "gap-px sm:gap-0.5"}`}
        >
          {bars.map(({ value, bad = 0, text }, index) => (
            <div
              key={text}
              className={`flex h-full min-w-0 flex-1 flex-col justify-end ${active === undefined || index === active ? "" : "opacity-40"}`}
            >
              <div
                className={`bg-accent ${bars.length > MANY ? "" : "rounded-t-sm"} ${value > bad ? "min-h-0.5" : ""}`}
                style={{ height: percent(value - bad) }}
              />
              <div
                className={`${BAD_LOOK} ${bad > 0 ? "min-h-0.5 border-canvas border-t" : ""}`}
                style={{ height: percent(bad) }}
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
          aria-valuenow={shown + 1}
          aria-valuetext={bars[shown]?.text}
          className="absolute inset-0 touch-pan-y outline-offset-4"
          onPointerMove={point}
          onPointerDown={point}
          onPointerLeave={() => look(undefined)}
          onFocus={(event) => {
            if (event.currentTarget.matches(":focus-visible")) look(shown);
          }}
          onBlur={() => look(undefined)}
          onKeyDown={press}
        />
        {inUse && active !== undefined && (
          <div
            className={`pointer-events-none absolute -top-3 z-10 w-max max-w-full rounded-md bg-ink px-2.5 py-1.5 text-canvas shadow-pop ${active < bars.length / 2 ? "ml-3" : "-translate-x-full -ml-3"}`}
            style={{ left: along(active) }}
          >
            {tip}
          </div>
        )}
      </div>
      <div aria-hidden className="relative col-start-2 mt-1.5 h-4">
        {marks.map(({ index, text }) => (
          <span
            key={index}
            className={`absolute whitespace-nowrap ${isAtEnd(index) ? "right-0" : "-translate-x-1/2"}`}
            style={isAtEnd(index) ? {} : { left: along(index) }}
          >
            {text}
          </span>
        ))}
      </div>
    </div>
  );
}

const clamp = (index: number, count: number): number => Math.min(count - 1, Math.max(0, index));

function stepOf(key: string, from: number, count: number): number | undefined {
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
