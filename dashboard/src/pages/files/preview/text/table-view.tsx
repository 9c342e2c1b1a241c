import { useMemo, useState } from "react";
import { findDelimiter, parseCsv } from "../../../../../../contract/documents/parse-csv.ts";
import { Button } from "../../../../components/button.tsx";
import { formatCount } from "../../../../text/format-count.ts";

/** Rows shown at once. */
const ROWS = 500;
const MAX_COLUMNS = 100;

export interface TableViewProps {
  readonly text: string;
  /** The text is only part of the file, so its last row may be incomplete and is left out. */
  readonly isPart: boolean;
  readonly label: string;
  readonly wrap: boolean;
}

/** Comma-separated values as a table, of a limited number of rows. */
export function TableView({ text, isPart, label, wrap }: TableViewProps) {
  const [limit, setLimit] = useState(ROWS);
  const { head, rows } = useMemo(() => {
    const all = parseCsv(text, findDelimiter(text));
    const [head = [], ...rows] = isPart && all.length > 1 ? all.slice(0, -1) : all;
    return { head, rows };
  }, [text, isPart]);
  const columns = Math.min(
    MAX_COLUMNS,
    rows.slice(0, limit).reduce((most, row) => Math.max(most, row.length), head.length),
  );
  const indexes = Array.from({ length: columns }, (_, at) => at);
  const shown = rows.slice(0, limit);
  const numeric = useMemo(() => numericColumns(rows.slice(0, ROWS), columns), [rows, columns]);
  const cellClass = wrap ? "whitespace-pre-wrap break-words" : "max-w-96 truncate whitespace-pre";
  const hasMoreColumns = head.length > MAX_COLUMNS;
  return (
    <>
      <table aria-label={label} className="border-separate border-spacing-0 text-sm">
        <thead className="sticky top-0 z-10">
          <tr>
            <td className="sticky left-0 z-10 border-line border-r border-b bg-side" />
            {indexes.map((at) => (
              <th
                key={at}
                scope="col"
                dir="auto"
                className={`border-line border-r border-b bg-side px-3 py-2 text-left font-medium ${cellClass}`}
              >
                {head[at]}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {shown.map((row, at) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: rows have no other key.
            <tr key={at}>
              <th
                scope="row"
                className="sticky left-0 border-line border-r border-b bg-canvas px-3 py-1.5 text-right font-normal text-muted tabular-nums"
              >
                {at + 1}
              </th>
              {indexes.map((column) => (
                <td
                  key={column}
                  dir="auto"
                  title={(row[column]?.length ?? 0) > 40 && !wrap ? row[column] : undefined}
                  className={`border-line border-r border-b px-3 py-1.5 ${cellClass} ${numeric.has(column) ? "text-right tabular-nums" : "text-left"}`}
                >
                  {row[column]}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      {(rows.length > limit || hasMoreColumns) && (
        <div className="sticky left-0 flex flex-wrap items-center justify-center gap-3 p-4 text-muted text-sm">
          {rows.length > limit &&
            `Showing ${formatCount(limit, "row")} of ${rows.length.toLocaleString()}.`}
          {hasMoreColumns &&
            ` Showing ${MAX_COLUMNS} columns of ${head.length.toLocaleString()}; the source has all.`}
          {rows.length > limit && (
            <Button size="sm" onClick={() => setLimit(limit + ROWS)}>
              Show {ROWS} more rows
            </Button>
          )}
        </div>
      )}
    </>
  );
}

const NUMBER = /^[-+]?[\d.,\s]*\d%?$/;

/** The columns that contain only numbers. */
function numericColumns(rows: readonly (readonly string[])[], columns: number): Set<number> {
  const numeric = new Set<number>();
  for (let at = 0; at < columns; at += 1) {
    const cells = rows.map((row) => row[at]?.trim() ?? "").filter((cell) => cell !== "");
    if (cells.length > 0 && cells.every((cell) => NUMBER.test(cell))) numeric.add(at);
  }
  return numeric;
}
