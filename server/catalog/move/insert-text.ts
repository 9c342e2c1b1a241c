import type { PersistentTable, Row } from "../move-port.ts";

/** A statement that inserts `count` rows; `placeholder` gives the n-th placeholder, from 1. */
export function insertText(
  table: PersistentTable,
  columns: readonly string[],
  count: number,
  placeholder: (index: number) => string,
): string {
  const rows = Array.from({ length: count }, (_, row) => {
    const values = columns.map((_, column) => placeholder(row * columns.length + column + 1));
    return `(${values.join(", ")})`;
  });
  return `insert into ${table} (${columns.join(", ")}) values ${rows.join(", ")}`;
}

/** Rows of one table have the same columns. */
export const columnsOf = ([first]: readonly Row[]): string[] => Object.keys(first ?? {});

export const valuesOf = (row: Row, columns: readonly string[]) =>
  columns.map((column) => row[column] ?? null);
