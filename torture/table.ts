import type { Row } from "./trial.ts";

export const hasPassed = (row: Row): boolean =>
  row.tries > 0 && row.lost === 0 && row.leftovers === 0 && row.problems.length === 0;

const HEADINGS = ["Fault", "Tries", "Lost", "Leftovers", "Verdict"] as const;

/** The rows as a text table, followed by every problem in full. */
export function table(rows: readonly Row[]): string {
  const cells = rows.map((row) => [
    row.fault,
    String(row.tries),
    String(row.lost),
    String(row.leftovers),
    `${hasPassed(row) ? "passed" : "FAILED"}${row.note === undefined ? "" : `  ${row.note}`}`,
  ]);
  const widths = HEADINGS.map((heading, column) =>
    Math.max(heading.length, ...cells.map((row) => row[column]?.length ?? 0)),
  );
  const line = (row: readonly string[]): string =>
    row
      .map((cell, column) => {
        const width = widths[column] ?? 0;
        return column > 0 && column < 4 ? cell.padStart(width) : cell.padEnd(width);
      })
      .join("  ")
      .trimEnd();
  const problems = rows.flatMap((row) => row.problems.map((text) => `${row.fault}: ${text}`));
  return [
    line(HEADINGS),
    ...cells.map(line),
    ...(problems.length > 0 ? [""] : []),
    ...problems,
  ].join("\n");
}
