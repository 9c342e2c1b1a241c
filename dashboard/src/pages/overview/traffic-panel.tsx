import { ChartNoAxesColumn } from "lucide-react";
import { useState } from "react";
import { formatBytes } from "../../../../contract/text/format-bytes.ts";
import { quoteIfNeeded } from "../../../../contract/text/quote-shell.ts";
import type { FileObject, OverviewObject, Period } from "../../../../sdk/src/holdall.ts";
import { holdall } from "../../app/connection/client.ts";
import { CodeBlock } from "../../components/code-block.tsx";
import { EmptyState } from "../../components/empty-state.tsx";
import { Segmented } from "../../components/fields/segmented.tsx";
import { Panel } from "../../components/panel.tsx";
import { formatCount } from "../../text/format-count.ts";
import { formatShortCount } from "../../text/format-short-count.ts";
import { type Bar, BarChart, ERROR_CLASS } from "./bar-chart.tsx";
import { MEASURE_TEXTS, type Measure, MeasureChoice } from "./measure-choice.tsx";
import { PERIODS } from "./periods.ts";
import {
  axisLabelsOf,
  formatBucket,
  formatStart,
  type Traffic,
  withoutCurrent,
  withoutTimeBefore,
} from "./traffic-buckets.ts";
import { TrafficTable } from "./traffic-table.tsx";

export interface TrafficPanelProps {
  readonly traffic: Traffic;
  /** Totals of the time before, as long as `traffic`. */
  readonly previous: OverviewObject["previous"];
  /** The period of `traffic`. */
  readonly period: Period;
  /** The selected period, whose traffic may still be loading. */
  readonly selected: Period;
  readonly onPeriod: (period: Period) => void;
  /** Files for an example, if there are any. */
  readonly files: readonly FileObject[];
}

const MEASURES = ["requests", "bytes"] as const;

/** Requests for files or the bytes served, over time. */
export function TrafficPanel(props: TrafficPanelProps) {
  const { traffic, previous, period, selected, onPeriod, files } = props;
  const [measure, setMeasure] = useState<Measure>("requests");
  const [active, setActive] = useState<number>();
  const choose = (change: () => void) => {
    setActive(undefined);
    change();
  };
  const shown = withoutTimeBefore(traffic, previous);
  const complete = withoutCurrent(shown);
  const activeBucket = active === undefined ? undefined : shown[active];
  const totals = totalsOf(traffic);
  const step = period === "month" ? "day" : "hour";
  return (
    <Panel
      title="Traffic"
      aside={
        <Segmented
          label="Period"
          value={selected}
          onChange={(next) => choose(() => onPeriod(next))}
          options={PERIODS}
        />
      }
    >
      {totals.requests === 0 ? (
        <NoTraffic period={period} files={files} />
      ) : (
        <>
          <div
            role="radiogroup"
            aria-label="Measure of the chart"
            className="grid grid-cols-2 gap-2 sm:gap-3"
          >
            {MEASURES.map((each) => (
              <MeasureChoice
                key={each}
                measure={each}
                isChosen={each === measure}
                total={totals[each]}
                values={complete.map((bucket) => bucket[each])}
                before={previous[each]}
                period={period}
                onChoose={() => choose(() => setMeasure(each))}
              />
            ))}
          </div>
          <BarChart
            label={`${MEASURE_TEXTS[measure].title} per ${step}. Use the arrow keys to step through.`}
            bars={shown.map(
              (each): Bar => ({
                value: each[measure],
                ...(measure === "requests" && { failed: each.errors }),
                text: describeBucket(each, period),
              }),
            )}
            axisLabels={axisLabelsOf(shown, period)}
            format={measure === "requests" ? formatShortCount : formatTick}
            active={active}
            onActive={setActive}
            tooltip={activeBucket && <BucketTooltip bucket={activeBucket} period={period} />}
          />
          <div className="flex flex-wrap items-center gap-x-5 gap-y-1 text-muted text-sm">
            {measure === "requests" && (
              <>
                <Legend className="forced-fill bg-accent" text="Successful" />
                <Legend
                  className={ERROR_CLASS}
                  text={`Errors (4xx, 5xx): ${totals.errors.toLocaleString()}`}
                />
              </>
            )}
            {shown.length < traffic.length && shown[0] !== undefined && (
              <span>No traffic in this period before {formatStart(shown[0].at, period)}.</span>
            )}
            {period === "month" && <span>Days in UTC.</span>}
          </div>
          <TrafficTable traffic={traffic} period={period} />
        </>
      )}
    </Panel>
  );
}

interface BucketTooltipProps {
  readonly bucket: Traffic[number];
  readonly period: Period;
}

const BucketTooltip = ({ bucket, period }: BucketTooltipProps) => (
  <>
    <p className="font-semibold">{formatBucket(bucket.at, period)}</p>
    <p>
      {formatCount(bucket.requests, "request")}
      {bucket.errors > 0 && `, ${formatCount(bucket.errors, "error")}`}
    </p>
    <p>{formatBytes(bucket.bytes)} served</p>
  </>
);

const describeBucket = ({ at, requests, errors, bytes }: Traffic[number], period: Period) =>
  `${formatBucket(at, period)}: ${formatCount(requests, "request")}, ${formatCount(errors, "error")}, ${formatBytes(bytes)} served`;

const formatTick = (value: number): string => formatBytes(value).replace(".0 ", " ");

const Legend = ({ className, text }: { readonly className: string; readonly text: string }) => (
  <span className="flex items-center gap-2">
    <span aria-hidden className={`size-3 flex-none rounded-sm ${className}`} />
    {text}
  </span>
);

function NoTraffic({ period, files }: Pick<TrafficPanelProps, "period" | "files">) {
  const span = PERIODS.find(({ value }) => value === period)?.label;
  const file = files.find(({ visibility }) => visibility === "public") ?? files[0];
  return (
    <EmptyState title={`No traffic in the last ${span}`} Icon={ChartNoAxesColumn}>
      <p>Requests for files, counted per hour.</p>
      {file && <CodeBlock label="Try it" code={downloadCommand(file)} />}
    </EmptyState>
  );
}

function downloadCommand(file: FileObject): string {
  const command = `curl -f ${quoteIfNeeded(holdall.url(file))} -O`;
  return file.visibility === "public" ? command : `${command} \\\n  -H "API-Key: hd_…"`;
}

const totalsOf = (traffic: Traffic) => ({
  requests: sum(traffic, "requests"),
  bytes: sum(traffic, "bytes"),
  errors: sum(traffic, "errors"),
});

const sum = (traffic: Traffic, field: "requests" | "bytes" | "errors"): number =>
  traffic.reduce((total, each) => total + each[field], 0);
