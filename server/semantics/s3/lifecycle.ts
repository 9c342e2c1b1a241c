import type { Millis } from "../../domain/records.ts";

/** A rule of a bucket: when objects end, and when unfinished multipart uploads are aborted. */
export interface LifecycleRule {
  readonly id: string;
  /** Keys below the bucket begin with it. With `days` it ends with a slash, or is empty: the whole bucket. */
  readonly prefix: string;
  /** Whether the client gave the prefix outside of a filter, as in older versions of S3. */
  readonly isBare: boolean;
  readonly isEnabled: boolean;
  /** Days from the creation of an object to its end; undefined: it does not end. */
  readonly days?: number;
  /** Days from the start of a multipart upload to its abortion; undefined: it is not aborted. */
  readonly abortDays?: number;
}

/** What is stored of a lifecycle configuration. */
export interface StoredLifecycle {
  readonly rules: readonly LifecycleRule[];
  /** The folders that got a lifetime from the rules, in seconds. */
  readonly applied: readonly { readonly id: string; readonly seconds: number }[];
}

export const DAY_SECONDS = 86_400;

/** `text` is what `setBucketLifecycle` has stored. */
export const readLifecycle = (text: string): StoredLifecycle => JSON.parse(text);

/** The rule by which objects with this prefix end first; undefined: none applies. */
export const firstToEnd = (
  rules: readonly LifecycleRule[],
  key: string,
): (LifecycleRule & { readonly days: number }) | undefined =>
  rules
    .flatMap((rule) =>
      rule.isEnabled && rule.days !== undefined && key.startsWith(rule.prefix)
        ? [{ ...rule, days: rule.days }]
        : [],
    )
    .sort((one, other) => one.days - other.days)[0];

/** When a multipart upload that starts now is aborted by the rules; undefined: not by them. */
export function abortedAt(
  rules: readonly LifecycleRule[],
  key: string,
  startedAt: Millis,
): Millis | undefined {
  const days = rules.flatMap(({ isEnabled, prefix, abortDays }) =>
    isEnabled && abortDays !== undefined && key.startsWith(prefix) ? [abortDays] : [],
  );
  return days.length === 0 ? undefined : startedAt + Math.min(...days) * DAY_SECONDS * 1000;
}
