/*
 * For cached lookups, awaiting a value costs more than finding it. These functions continue
 * synchronously, and wait only for a promise.
 */

/** A value, or the promise of one. */
export type MaybePromise<T> = T | Promise<T>;

/** Applies `next` to the value, synchronously if it is not a promise. */
export function chain<T, U>(
  value: MaybePromise<T>,
  next: (value: T) => MaybePromise<U>,
): MaybePromise<U> {
  return value instanceof Promise ? value.then(next) : next(value);
}

/** The result of `work`, or of `rescue` if it throws or rejects. */
export function attempt<T>(
  work: () => MaybePromise<T>,
  rescue: (error: unknown) => MaybePromise<T>,
): MaybePromise<T> {
  try {
    const value = work();
    return value instanceof Promise ? value.catch(rescue) : value;
  } catch (error) {
    return rescue(error);
  }
}
