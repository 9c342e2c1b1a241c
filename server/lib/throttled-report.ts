/** Reports at most one message of each kind per interval; the next one says how many were left out. */
export type ThrottledReport<Details extends readonly unknown[] = []> = (
  kind: string,
  message: string,
  ...details: Details
) => void;

/** Far more than there are kinds. */
const MAX_KINDS = 100;

export function createThrottledReport<Details extends readonly unknown[] = []>(
  report: (message: string, ...details: Details) => void,
  intervalMs = 60_000,
): ThrottledReport<Details> {
  const kinds = new Map<string, { readonly from: number; omitted: number }>();

  return (kind, message, ...details) => {
    const now = performance.now();
    const last = kinds.get(kind);
    if (last !== undefined && now - last.from < intervalMs) {
      last.omitted += 1;
      return;
    }
    if (kinds.size >= MAX_KINDS) kinds.clear();
    kinds.set(kind, { from: now, omitted: 0 });
    const omitted = last?.omitted ?? 0;
    report(omitted === 0 ? message : `${message} (and ${omitted} more like it before)`, ...details);
  };
}
