import type { Period } from "../../../../sdk/src/holdall.ts";
import { bytesText } from "../../text/bytes.ts";
import { spellText, type Traffic } from "./spells.ts";

export interface TrafficTableProps {
  readonly traffic: Traffic;
  readonly period: Period;
}

const count = new Intl.NumberFormat();

/** The same as numbers, newest first; folded away until it is wanted. */
export function TrafficTable({ traffic, period }: TrafficTableProps) {
  return (
    <details className="text-sm">
      <summary className="w-fit rounded-sm text-muted hover:text-ink">Show as a table</summary>
      <div tabIndex={0} className="mt-3 max-h-80 overflow-auto rounded-md border border-line">
        <table className="w-full tabular-nums">
          <caption className="sr-only">Traffic, newest first</caption>
          <thead className="sticky top-0 bg-hover text-muted">
            <tr>
              {["Time", "Requests", "Errors", "Served"].map((name, index) => (
                <th
                  key={name}
                  scope="col"
                  className={`px-3 py-2 font-medium ${index === 0 ? "text-left" : "text-right"}`}
                >
                  {name}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {traffic.toReversed().map(({ at, requests, errors, bytes }) => (
              <tr key={at} className="border-line border-t">
                <th scope="row" className="whitespace-nowrap px-3 py-1.5 text-left font-normal">
                  {spellText(at, period)}
                </th>
                <td className="px-3 py-1.5 text-right">{count.format(requests)}</td>
                <td className="px-3 py-1.5 text-right">{count.format(errors)}</td>
                <td className="whitespace-nowrap px-3 py-1.5 text-right">{bytesText(bytes)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </details>
  );
}
