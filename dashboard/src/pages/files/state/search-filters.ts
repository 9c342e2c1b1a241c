import type { SearchOptions } from "../../../../../sdk/src/holdall.ts";

/** The choices of the filters of a search, by their values. */
export interface SearchFilters {
  readonly type: string;
  readonly updated: string;
  readonly size: string;
  readonly visibility: string;
}

export const NO_FILTERS: SearchFilters = { type: "", updated: "", size: "", visibility: "" };

/** Whether any of them filters. */
export const isFiltering = (filters: SearchFilters): boolean =>
  Object.values(filters).some((value) => value !== "");

/** The values of each filter. */
const CHOICES: Readonly<Record<keyof SearchFilters, readonly string[]>> = {
  type: ["image/*", "video/*", "audio/*", "application/pdf", "text/*"],
  updated: ["day", "week", "month", "year"],
  size: ["small", "medium", "large"],
  visibility: ["public", "private"],
};

/** The filters in a query string; unknown values do not filter. */
export function parseFilters(parameters: URLSearchParams): SearchFilters {
  const read = (name: keyof SearchFilters): string =>
    CHOICES[name].find((choice) => choice === parameters.get(name)) ?? "";
  return {
    type: read("type"),
    updated: read("updated"),
    size: read("size"),
    visibility: read("visibility"),
  };
}

/** The filters that are set, for a query string. */
export const givenFilters = (filters: SearchFilters): Record<string, string> =>
  Object.fromEntries(Object.entries(filters).filter(([, value]) => value !== ""));

const MEGABYTE = 1_000_000;
const DAY_MS = 86_400_000;

/** The days of each choice of `updated`. */
const DAYS: Readonly<Record<string, number>> = { day: 1, week: 7, month: 30, year: 365 };

const SIZES: Readonly<Record<string, Pick<SearchOptions, "minSize" | "maxSize">>> = {
  small: { maxSize: MEGABYTE },
  medium: { minSize: MEGABYTE, maxSize: 100 * MEGABYTE },
  large: { minSize: 100 * MEGABYTE },
};

/** The options of a search with these filters. */
export function searchOptions(filters: SearchFilters, now = Date.now()): SearchOptions {
  const { type, updated, size, visibility } = filters;
  const days = DAYS[updated];
  return {
    ...(type === "" ? {} : { type }),
    ...(days === undefined ? {} : { updatedSince: new Date(now - days * DAY_MS) }),
    ...SIZES[size],
    ...(visibility === "public" || visibility === "private" ? { visibility } : {}),
  };
}
