/** Reports at most one message of each kind per interval; the next one says how many were left out. */
export type ThrottledReport = (kind: string, message: string) => void;

/** Far more than there are kinds. */
const MAX_KINDS = 100;

export function createThrottledReport(
  report: (message: string) => void,
  intervalMs = 60_000,
): ThrottledReport {
  const kinds = new Map<string, { readonly from: number; omitted: number }>();

  return (kind, message) => {
    const now = performance.now();
    const last = kinds.get(kind);
    if (last !== undefined && now - last.from < intervalMs) {
      last.omitted += 1;
      return;
    }
    if (kinds.size >= MAX_KINDS) kinds.clear();
    kinds.set(kind, { from: now, omitted: 0 });
    const omitted = last?.omitted ?? 0;
    report(omitted === 0 ? message : `${message} (and ${omitted} more like it before)`);
  };
}
