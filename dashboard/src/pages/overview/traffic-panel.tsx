import { ChartNoAxesColumn } from "lucide-react";
import { type ReactNode, useState } from "react";
import type { Period } from "../../../../sdk/src/holdall.ts";
import { formatBytes } from "../../../../server/rules/format-bytes.ts";
import { basePath } from "../../app/location.ts";
import { CodeBlock } from "../../components/code-block.tsx";
import { EmptyState } from "../../components/empty-state.tsx";
import { Panel } from "../../components/panel.tsx";
import { Segmented } from "../../components/segmented.tsx";
import { formatCount } from "../../text/format-count.ts";
import { formatShortCount } from "../../text/format-short-count.ts";
import { type Bar, BarChart, ERROR_CLASS } from "./bar-chart.tsx";
import { axisLabelsOf, formatBucket, type Traffic } from "./traffic-buckets.ts";
import { TrafficTable } from "./traffic-table.tsx";

export interface TrafficPanelProps {
  readonly traffic: Traffic;
  /** The period of `traffic`. */
  readonly period: Period;
  /** The selected period, whose traffic may still be loading. */
  readonly selected: Period;
  readonly onPeriod: (period: Period) => void;
}

const PERIODS = [
  { value: "day", label: "24 hours" },
  { value: "week", label: "7 days" },
  { value: "month", label: "30 days" },
] as const;

/** Requests for files and the bytes served, over time. */
export function TrafficPanel({ traffic, period, selected, onPeriod }: TrafficPanelProps) {
  const [active, setActive] = useState<number>();
  const requests = sum(traffic, "requests");
  const axisLabels = axisLabelsOf(traffic, period);
  const activeBucket = active === undefined ? undefined : traffic[active];
  const tooltip = activeBucket && (
    <>
      <p className="font-semibold">{formatBucket(activeBucket.at, period)}</p>
      <p>
        {formatCount(activeBucket.requests, "request")}
        {activeBucket.errors > 0 && `, ${formatCount(activeBucket.errors, "error")}`}
      </p>
      <p>{formatBytes(activeBucket.bytes)} served</p>
    </>
  );
  const chart = { axisLabels, active, onActive: setActive, tooltip };
  const describe = ({ at, requests, errors, bytes }: Traffic[number]) =>
    `${formatBucket(at, period)}: ${formatCount(requests, "request")}, ${formatCount(errors, "error")}, ${formatBytes(bytes)} served`;

  return (
    <Panel
      title="Traffic"
      aside={
        <Segmented
          label="Period"
          value={selected}
          onChange={(next) => {
            setActive(undefined);
            onPeriod(next);
          }}
          options={PERIODS}
        />
      }
    >
      {requests === 0 ? (
        <NoTraffic period={period} />
      ) : (
        <>
          <div className="grid gap-x-10 gap-y-8 lg:grid-cols-2">
            <Figure title="Requests" sum={formatCount(requests, "request")}>
              <BarChart
                label={`Requests per ${period === "month" ? "day" : "hour"}. Use the arrow keys to step through.`}
                bars={traffic.map(
                  (each): Bar => ({
                    value: each.requests,
                    failed: each.errors,
                    text: describe(each),
                  }),
                )}
                format={formatShortCount}
                {...chart}
              />
            </Figure>
            <Figure title="Bandwidth" sum={formatBytes(sum(traffic, "bytes"))}>
              <BarChart
                label={`Bandwidth per ${period === "month" ? "day" : "hour"}. Use the arrow keys to step through.`}
                bars={traffic.map((each): Bar => ({ value: each.bytes, text: describe(each) }))}
                format={(value) => formatBytes(value).replace(".0 ", " ")}
                {...chart}
              />
            </Figure>
          </div>
          <div className="flex flex-wrap items-center gap-x-5 gap-y-1 text-muted text-sm">
            <Legend className="forced-fill bg-accent" text="Successful" />
            <Legend className={ERROR_CLASS} text={`Errors (4xx, 5xx): ${sum(traffic, "errors")}`} />
            {period === "month" && <span>Days in UTC.</span>}
          </div>
          <TrafficTable traffic={traffic} period={period} />
        </>
      )}
    </Panel>
  );
}

interface FigureProps {
  readonly title: string;
  readonly sum: string;
  readonly children: ReactNode;
}

const Figure = ({ title, sum: total, children }: FigureProps) => (
  <figure className="flex min-w-0 flex-col gap-5">
    <figcaption className="flex items-baseline justify-between gap-3">
      <span className="text-muted text-sm">{title}</span>
      <span className="font-semibold text-lg tabular-nums">{total}</span>
    </figcaption>
    {children}
  </figure>
);

const Legend = ({ className, text }: { readonly className: string; readonly text: string }) => (
  <span className="flex items-center gap-2">
    <span aria-hidden className={`size-3 flex-none rounded-sm ${className}`} />
    {text}
  </span>
);

function NoTraffic({ period }: { readonly period: Period }) {
  const span = PERIODS.find(({ value }) => value === period)?.label;
  return (
    <EmptyState title={`No traffic in the last ${span}`} Icon={ChartNoAxesColumn}>
      <p>Requests for files, counted per hour.</p>
      <CodeBlock
        label="Try it"
        code={`curl ${location.origin}${basePath}/api/hosting/photo.jpg -O`}
      />
    </EmptyState>
  );
}

const sum = (traffic: Traffic, field: "requests" | "bytes" | "errors"): number =>
  traffic.reduce((total, each) => total + each[field], 0);
