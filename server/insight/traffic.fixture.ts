import type { Counters, NewCount } from "../catalog/port/counters.ts";
import type { HourlyTraffic, Millis } from "../domain/records.ts";

/** The rows of an hour: its totals, and one row for each status. */
function toRows({ hour: period, errorsByStatus, ...totals }: HourlyTraffic): NewCount[] {
  return [
    { period, subject: "", ...totals },
    ...errorsByStatus.map(({ status, requests }) => ({
      period,
      subject: `${status}`,
      requests,
      bytes: 0,
      errors: requests,
    })),
  ];
}

export const addTraffic = (catalog: Counters, hours: readonly HourlyTraffic[]): Promise<void> =>
  catalog.addCounts("hour", hours.flatMap(toRows));

/** The hours that the catalog has counts of. */
export async function storedTraffic(
  catalog: Counters,
  since: Millis = 0,
): Promise<HourlyTraffic[]> {
  const byHour = Map.groupBy(await catalog.counts("hour", since), ({ period }) => period);
  return [...byHour].map(([hour, rows]) => {
    const [total, ...statuses] = rows;
    if (total?.subject !== "") throw new Error("An hour has no totals.");
    const { requests, bytes, errors } = total;
    const errorsByStatus = statuses.map((row) => ({
      status: Number(row.subject),
      requests: row.requests,
    }));
    return { hour, requests, bytes, errors, errorsByStatus };
  });
}
