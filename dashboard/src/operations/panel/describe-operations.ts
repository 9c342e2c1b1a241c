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

/**
 * The text for screen readers: each operation that begins, and what the last one to end has done. Banners say why
 * operations wait.
 */
export function announcement(operations: readonly Operation[]): string {
  const latest = operations.at(-1);
  const [ended] = operations
    .filter(({ outcome }) => outcome !== undefined)
    .toSorted((one, other) => (other.endOrder ?? 0) - (one.endOrder ?? 0));
  const parts = [
    ...[ended?.outcome?.text, ended?.outcome?.failure?.message],
    ...(latest?.outcome === undefined ? [latest?.title] : []),
  ];
  return parts.filter(Boolean).join(" ");
}
