import { ChartNoAxesColumn } from "lucide-react";
import { type ReactNode, useState } from "react";
import type { Period } from "../../../../sdk/src/holdall.ts";
import { base } from "../../app/location.ts";
import { CodeBlock } from "../../components/code-block.tsx";
import { EmptyState } from "../../components/empty-state.tsx";
import { Segmented } from "../../components/segmented.tsx";
import { bytesText } from "../../text/bytes.ts";
import { countText } from "../../text/count.ts";
import { shortCountText } from "../../text/short-count.ts";
import { BAD_LOOK, BarChart } from "./bar-chart.tsx";
import { Panel } from "./panel.tsx";
import { marksOf, spellText, type Traffic } from "./spells.ts";
import { TrafficTable } from "./traffic-table.tsx";

export interface TrafficPanelProps {
  readonly traffic: Traffic;
  /** The period of `traffic`. */
  readonly period: Period;
  /** The selected period, whose traffic may still be loading. */
  readonly chosen: Period;
  readonly onPeriod: (period: Period) => void;
}

const PERIODS = [
  { value: "day", label: "24 hours" },
  { value: "week", label: "7 days" },
  { value: "month", label: "30 days" },
] as const;

/** Requests for files and the bytes served, over time. */
export function TrafficPanel({ traffic, period, chosen, onPeriod }: TrafficPanelProps) {
  const [active, setActive] = useState<number>();
  const requests = sum(traffic, "requests");
  const marks = marksOf(traffic, period);
  const shown = active === undefined ? undefined : traffic[active];
  const tip = shown && (
    <>
      <p className="font-semibold">{spellText(shown.at, period)}</p>
      <p>
        {countText(shown.requests, "request")}
        {shown.errors > 0 && `, ${countText(shown.errors, "error")}`}
      </p>
      <p>{bytesText(shown.bytes)} served</p>
    </>
  );
  const chart = { marks, active, onActive: setActive, tip };
  const textOf = ({ at, requests, errors, bytes }: Traffic[number]) =>
    `${spellText(at, period)}: ${countText(requests, "request")}, ${countText(errors, "error")}, ${bytesText(bytes)} served`;

  return (
    <Panel
      title="Traffic"
      aside={
        <Segmented
          label="Period"
          value={chosen}
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
            <Figure title="Requests" sum={countText(requests, "request")}>
              <BarChart
                label={`Requests per ${period === "month" ? "day" : "hour"}. Use the arrow keys to step through.`}
                bars={traffic.map((each) => ({
                  value: each.requests,
                  bad: each.errors,
                  text: textOf(each),
                }))}
                format={shortCountText}
                {...chart}
              />
            </Figure>
            <Figure title="Bandwidth" sum={bytesText(sum(traffic, "bytes"))}>
              <BarChart
                label={`Bandwidth per ${period === "month" ? "day" : "hour"}. Use the arrow keys to step through.`}
                bars={traffic.map((each) => ({ value: each.bytes, text: textOf(each) }))}
                format={(value) => bytesText(value).replace(".0 ", " ")}
                {...chart}
              />
            </Figure>
          </div>
          <div className="flex flex-wrap items-center gap-x-5 gap-y-1 text-muted text-sm">
            <Legend look="bg-accent" text="Successful" />
            <Legend look={BAD_LOOK} text={`Errors (4xx, 5xx): ${sum(traffic, "errors")}`} />
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

const Legend = ({ look, text }: { readonly look: string; readonly text: string }) => (
  <span className="flex items-center gap-2">
    <span aria-hidden className={`size-3 flex-none rounded-sm ${look}`} />
    {text}
  </span>
);

function NoTraffic({ period }: { readonly period: Period }) {
  const span = PERIODS.find(({ value }) => value === period)?.label;
  return (
    <EmptyState title={`No traffic in the last ${span}`} Icon={ChartNoAxesColumn}>
      <p>Requests for files, counted per hour.</p>
      <CodeBlock label="Try it" code={`curl ${location.origin}${base}/api/hosting/photo.jpg -O`} />
    </EmptyState>
  );
}

const sum = (traffic: Traffic, field: "requests" | "bytes" | "errors"): number =>
  traffic.reduce((total, each) => total + each[field], 0);
