import { type DryRun, tryingFetch } from "../../sdk/src/dry-run.ts";
import { type Fetch, HoldallError } from "../../sdk/src/holdall.ts";

/** Ends a request of `--dry-run` with what it would do, as commands cannot go on without its result. */
class TriedOut extends Error {
  readonly report: DryRun;

  constructor(report: DryRun) {
    super("This was a dry run.");
    this.report = report;
  }
}

/** A `fetch` whose changes are only tried: each of them fails with an error that `triedOut` recognizes. */
export const dryFetch = (send: Fetch): Fetch =>
  tryingFetch(send, (report) => {
    throw new TriedOut(report);
  });

/** Returns the report of a dry run from the error that carries it; undefined for any other error. */
export const triedOut = (error: unknown): DryRun | undefined =>
  error instanceof HoldallError && error.cause instanceof TriedOut ? error.cause.report : undefined;

/** A report for programs, and for people. */
export function dryRunLine(
  subject: string | null,
  report: DryRun,
): [object: { readonly type: string; readonly [field: string]: unknown }, text: string] {
  const { total, files, bytes, freedBytes, changes, links } = report;
  const lines = changes.map(({ type, key, fromKey }) =>
    fromKey === null || fromKey === key ? `  ${type} ${key}` : `  ${type} ${fromKey} to ${key}`,
  );
  if (total > changes.length) lines.push(`  and ${total - changes.length} more`);
  for (const { key, reason } of report.conflicts) {
    lines.push(`  leaves ${key ?? "something that is gone"}: ${reason}`);
  }
  for (const { key } of links) lines.push(`  ends a link to ${key}`);
  const freed = freedBytes > 0 ? `, ${freedBytes} bytes deleted permanently` : "";
  const head = `Would make ${total} changes: ${files} files, ${bytes} bytes${freed}. Nothing was changed.`;
  return [{ type: "dryRun", subject, ...report }, [head, ...lines].join("\n")];
}
