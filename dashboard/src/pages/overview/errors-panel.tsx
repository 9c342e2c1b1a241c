import type { Period } from "../../../../sdk/src/holdall.ts";
import { Panel } from "../../components/panel.tsx";
import { formatCount } from "../../text/format-count.ts";
import { countErrors } from "./count-errors.ts";
import { PERIODS } from "./periods.ts";
import { ShareBar } from "./share-bar.tsx";
import type { Traffic } from "./traffic-buckets.ts";

export interface ErrorsPanelProps {
  readonly traffic: Traffic;
  /** The period of `traffic`. */
  readonly period: Period;
}

const MAX_STATUSES = 6;

/** Requests for files that were answered with an error, by status. */
export function ErrorsPanel({ traffic, period }: ErrorsPanelProps) {
  const { byStatus, unknown } = countErrors(traffic);
  const shown = byStatus.slice(0, MAX_STATUSES);
  const rest = byStatus.slice(MAX_STATUSES).reduce((sum, { requests }) => sum + requests, 0);
  const all = byStatus.reduce((sum, { requests }) => sum + requests, unknown);
  const span = `last ${PERIODS.find(({ value }) => value === period)?.label}`;
  return (
    <Panel title="Errors" aside={<span className="text-muted text-sm">{upperFirst(span)}</span>}>
      {byStatus.length === 0 && unknown === 0 && (
        <p className="text-muted">No errors in the {span}.</p>
      )}
      {shown.length > 0 && (
        <ul className="flex flex-col gap-3.5 text-sm tabular-nums">
          {shown.map(({ status, text, requests }) => (
            <li key={status}>
              <p className="flex items-center gap-x-4">
                <span className="min-w-0 flex-1 font-medium">
                  {status} <span className="font-normal">{text}</span>
                </span>
                <span className="text-right">{formatCount(requests, "request")}</span>
              </p>
              <ShareBar share={requests / all} fill="bg-bad-solid" />
            </li>
          ))}
        </ul>
      )}
      {rest > 0 && (
        <p className="text-muted text-sm">{formatCount(rest, "request")} with other statuses.</p>
      )}
      {unknown > 0 && (
        <p className="text-muted text-sm">
          {formatCount(unknown, "earlier error")} without a known status.
        </p>
      )}
    </Panel>
  );
}

const upperFirst = (text: string): string => text.slice(0, 1).toUpperCase() + text.slice(1);
