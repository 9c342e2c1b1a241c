/*
 * Where most of what is asked for is in memory, to wait for what is there already costs more than to
 * find it. These go on at once, and wait only for a promise.
 */

/** A value, or the promise of one. */
export type MaybePromise<T> = T | Promise<T>;

/** What `next` makes of the value, as soon as it is there. */
export function chain<T, U>(
  value: MaybePromise<T>,
  next: (value: T) => MaybePromise<U>,
): MaybePromise<U> {
  return value instanceof Promise ? value.then(next) : next(value);
}

/** The outcome of `work`, or what `rescue` makes of its error. */
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
