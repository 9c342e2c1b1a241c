import { formatCount } from "../../text/format-count.ts";
import type { Operation } from "../operations.ts";

/** The panel's title. */
export function panelTitle(operations: readonly Operation[]): string {
  const running = operations.filter(({ outcome }) => outcome === undefined).length;
  if (running > 0) return `${formatCount(running, "operation")} running`;
  return operations.some(({ outcome }) => outcome?.failure !== undefined)
    ? "Finished with errors"
    : "Finished";
}

/** What screen readers say: each operation that begins, and what it has done. */
export function announcement(operations: readonly Operation[]): string {
  const latest = operations.at(-1);
  const ended = operations.filter(({ outcome }) => outcome !== undefined).at(-1);
  const parts = [
    ...(ended?.outcome === undefined ? [] : [ended.outcome.text, ended.outcome.failure?.message]),
    ...(latest === undefined || latest === ended ? [] : [latest.title]),
  ];
  return parts.filter(Boolean).join(" ");
}
