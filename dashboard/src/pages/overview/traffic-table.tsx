import { ChevronRight } from "lucide-react";
import { formatBytes } from "../../../../contract/text/format-bytes.ts";
import type { Period } from "../../../../sdk/src/holdall.ts";
import { FocusArea } from "../../components/focus-area.tsx";
import { formatBucket, type Traffic } from "./traffic-buckets.ts";

export interface TrafficTableProps {
  readonly traffic: Traffic;
  readonly period: Period;
}

const count = new Intl.NumberFormat();

/** The traffic as a collapsible table, newest first. */
export function TrafficTable({ traffic, period }: TrafficTableProps) {
  return (
    <details className="group text-sm">
      <summary className="flex w-fit list-none items-center gap-1 rounded-sm text-muted hover:text-ink [&::-webkit-details-marker]:hidden">
        <ChevronRight
          aria-hidden
          className="size-4 flex-none transition-transform group-open:rotate-90"
        />
        Show as table
      </summary>
      <FocusArea
        label="Traffic"
        className="mt-3 max-h-80 overflow-auto rounded-md border border-line"
      >
        <table className="w-full tabular-nums">
          <caption className="sr-only">Traffic, newest first</caption>
          <thead className="sticky top-0 bg-hover text-muted">
            <tr>
              {["Time", "Requests", "Errors", "Bandwidth"].map((name, index) => (
                <th
                  key={name}
                  scope="col"
                  className={`px-2 py-2 font-medium sm:px-3 ${index === 0 ? "text-left" : "text-right"}`}
                >
                  {name}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {traffic.toReversed().map(({ at, requests, errors, bytes }) => (
              <tr key={at} className="border-line border-t">
                <th
                  scope="row"
                  className="whitespace-nowrap px-2 py-1.5 text-left sm:px-3 font-normal"
                >
                  {formatBucket(at, period)}
                </th>
                <td className="px-2 py-1.5 text-right sm:px-3">{count.format(requests)}</td>
                <td className="px-2 py-1.5 text-right sm:px-3">{count.format(errors)}</td>
                <td className="whitespace-nowrap px-2 py-1.5 text-right sm:px-3">
                  {formatBytes(bytes)}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </FocusArea>
    </details>
  );
}
