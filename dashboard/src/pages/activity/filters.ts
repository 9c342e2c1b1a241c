import { actionTexts } from "../../../../contract/activity.ts";
import type { ActivityObject } from "../../../../sdk/src/holdall.ts";

export type Action = ActivityObject["action"];
export type Outcome = ActivityObject["outcome"];

/** The filters in the URL. An undefined one matches everything. */
export interface Filters {
  readonly action?: Action | undefined;
  /** The id of an API key or an account. */
  readonly actor?: string | undefined;
  readonly outcome?: Outcome | undefined;
  /** Text that is searched for in keys, names and addresses. */
  readonly text?: string | undefined;
  readonly span?: Span | undefined;
  /** Days in the browser's time zone, `YYYY-MM-DD`, both inclusive; only without a span. */
  readonly from?: string | undefined;
  readonly to?: string | undefined;
}

/** The API takes no longer text. */
export const MAX_TEXT_LENGTH = 255;
const HOUR = 3_600_000;

const SPANS = { hour: HOUR, day: 24 * HOUR, week: 7 * 24 * HOUR, month: 30 * 24 * HOUR };

/** The last hour, day (24 hours), week or month (30 days). */
export type Span = keyof typeof SPANS;

/** Parses the query string and drops unknown values. */
export function parseFilters(query: string): Filters {
  const params = new URLSearchParams(query);
  const action = params.get("action") ?? "";
  const outcome = params.get("outcome");
  const span = params.get("time") ?? "";
  return {
    action: isAction(action) ? action : undefined,
    actor: params.get("actor") || undefined,
    outcome: outcome === "done" || outcome === "failed" ? outcome : undefined,
    text: params.get("q")?.slice(0, MAX_TEXT_LENGTH) || undefined,
    ...(isSpan(span)
      ? { span }
      : { from: parseDay(params.get("from")), to: parseDay(params.get("to")) }),
  };
}

/** The path of the activity page with these filters. */
export function activityAddress({ span, text, ...others }: Filters): string {
  const query = queryOf({ ...others, time: span, q: text });
  return query === "" ? "/activity" : `/activity?${query}`;
}

/** The path of a table of all activity that matches. */
export function tablePath(filters: Filters, format: "csv" | "ndjson", now: Date): string {
  return `/api/activity?${queryOf({ ...conditionsOf(filters), ...timeRangeOf(filters, now), format })}`;
}

/** The filters other than the time as API parameters. */
export const conditionsOf = ({ action, actor, outcome, text }: Filters) => ({
  ...(action && { action }),
  ...(actor && { actor }),
  ...(outcome && { outcome }),
  ...(text && { q: text }),
});

function queryOf(parts: Readonly<Record<string, string | undefined>>): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(parts)) if (value) query.set(name, value);
  return query.toString();
}

/** The filters' time range as API parameters. */
export function timeRangeOf(
  { span, from, to }: Filters,
  now: Date,
): { since?: string; until?: string } {
  if (span !== undefined) return { since: new Date(now.getTime() - SPANS[span]).toISOString() };
  return {
    ...(from === undefined ? {} : { since: localMidnight(from, 0).toISOString() }),
    ...(to === undefined ? {} : { until: localMidnight(to, 1).toISOString() }),
  };
}

export const isFiltered = (filters: Filters): boolean =>
  Object.values(filters).some((value) => value !== undefined);

const isAction = (text: string): text is Action => Object.hasOwn(actionTexts, text);
const isSpan = (text: string): text is Span => Object.hasOwn(SPANS, text);

const parseDay = (text: string | null): string | undefined =>
  text !== null && /^\d{4}-\d\d-\d\d$/.test(text) && !Number.isNaN(Date.parse(text))
    ? text
    : undefined;

/** Local midnight, `later` days after the day. */
function localMidnight(day: string, daysLater: number): Date {
  const [year = 0, month = 1, date = 1] = day.split("-").map(Number);
  return new Date(year, month - 1, date + daysLater);
}
