import type { Traffic } from "./traffic-buckets.ts";

export interface StatusErrors {
  readonly status: number;
  /** The meaning of the status, in a few words. */
  readonly text: string;
  readonly requests: number;
}

export interface ErrorCounts {
  /** By status, most requests first. */
  readonly byStatus: readonly StatusErrors[];
  /** Errors that an older version of the server has counted without their status. */
  readonly unknown: number;
}

/** Adds up the errors of a period by status. */
export function countErrors(traffic: Traffic): ErrorCounts {
  const requests = new Map<number, number>();
  let all = 0;
  let known = 0;
  for (const { errors, errorsByStatus } of traffic) {
    all += errors;
    for (const each of errorsByStatus) {
      known += each.requests;
      requests.set(each.status, (requests.get(each.status) ?? 0) + each.requests);
    }
  }
  const byStatus = [...requests]
    .map(([status, count]) => ({ status, text: statusText(status), requests: count }))
    .sort((one, other) => other.requests - one.requests || one.status - other.status);
  return { byStatus, unknown: Math.max(0, all - known) };
}

const STATUS_TEXTS: Readonly<Record<number, string>> = {
  400: "Invalid request",
  401: "Not authorized",
  403: "Not allowed",
  404: "Not found",
  405: "Wrong method",
  408: "Too slow",
  409: "Conflict",
  410: "No longer available",
  412: "Has changed",
  413: "Too large",
  415: "Not an image",
  416: "Range beyond the end",
  422: "Damaged image",
  423: "Locked",
  429: "Too many requests",
  500: "Server error",
  503: "Unavailable",
  507: "No space",
};

const statusText = (status: number): string =>
  STATUS_TEXTS[status] ?? (status < 500 ? "Refused" : "Server error");
