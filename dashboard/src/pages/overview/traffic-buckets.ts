import type { OverviewObject, Period } from "../../../../sdk/src/holdall.ts";
import { formatTimeOfDay, parseTimestamp } from "../../text/timestamp.ts";

export type Traffic = OverviewObject["traffic"];

const HOUR_MS = 3_600_000;

const weekday = new Intl.DateTimeFormat(undefined, { weekday: "short" });
const weekdayAndDate = new Intl.DateTimeFormat(undefined, {
  weekday: "short",
  day: "numeric",
  month: "short",
});
/** Days are UTC days, whatever the browser's time zone. */
const day = new Intl.DateTimeFormat(undefined, { day: "numeric", month: "short", timeZone: "UTC" });
const fullDay = new Intl.DateTimeFormat(undefined, {
  weekday: "short",
  day: "numeric",
  month: "short",
  timeZone: "UTC",
});

/** Formats a day in UTC: "21 Nov". */
export const formatDay = (at: string): string => day.format(parseTimestamp(at));

/** Formats the period of one bar: "Sat 21 Nov, 14:00–15:00", or a day. */
export function formatBucket(at: string, period: Period): string {
  if (period === "month") return formatStart(at, period);
  const to = new Date(parseTimestamp(at).getTime() + HOUR_MS);
  return `${formatStart(at, period)}–${formatTimeOfDay(to)}`;
}

/** Formats when it begins: "Sat 21 Nov, 14:00", or a day. */
export function formatStart(at: string, period: Period): string {
  const from = parseTimestamp(at);
  if (period === "month") return fullDay.format(from);
  return `${weekdayAndDate.format(from)}, ${formatTimeOfDay(from)}`;
}

/** Leaves out the beginning if neither it nor the period before had any traffic, as on a new server. */
export function withoutTimeBefore(traffic: Traffic, previous: OverviewObject["previous"]): Traffic {
  const first = traffic.findIndex(({ requests, bytes }) => requests > 0 || bytes > 0);
  if (previous.requests > 0 || first < 0) return traffic;
  return traffic.slice(first);
}

/** Leaves out the hour or day that is not over, unless it is the only one: its total would look like a fall. */
export const withoutCurrent = (traffic: Traffic): Traffic =>
  traffic.length > 1 ? traffic.slice(0, -1) : traffic;

/** A label below the bar of this index. */
export interface AxisLabel {
  readonly index: number;
  readonly text: string;
}

/**
 * Labels every sixth hour of a day, the midnights of a week, every seventh day of a month; of a few bars, the
 * first.
 */
export function axisLabelsOf(traffic: Traffic, period: Period): AxisLabel[] {
  const labels = roundLabels(traffic, period);
  const first = traffic[0];
  if (labels.length > 0 || first === undefined) return labels;
  const from = parseTimestamp(first.at);
  return [{ index: 0, text: period === "week" ? weekday.format(from) : formatTimeOfDay(from) }];
}

function roundLabels(traffic: Traffic, period: Period): AxisLabel[] {
  return traffic.flatMap(({ at }, index): AxisLabel[] => {
    const timestamp = parseTimestamp(at);
    if (period === "month") {
      return (traffic.length - 1 - index) % 7 === 0 ? [{ index, text: formatDay(at) }] : [];
    }
    if (period === "week") {
      return timestamp.getHours() === 0 ? [{ index, text: weekday.format(timestamp) }] : [];
    }
    return timestamp.getHours() % 6 === 0 ? [{ index, text: formatTimeOfDay(timestamp) }] : [];
  });
}
