/*
 * Where most of what is asked for is in memory, to wait for what is there already costs more than to
 * find it. These go on at once, and wait only for a promise.
 */

/** A value, or the promise of one. */
export type Soon<T> = T | Promise<T>;

/** What `next` makes of the value, as soon as it is there. */
export function then<T, U>(value: Soon<T>, next: (value: T) => Soon<U>): Soon<U> {
  return value instanceof Promise ? value.then(next) : next(value);
}

/** The outcome of `work`, or what `rescue` makes of its error. */
export function rescued<T>(work: () => Soon<T>, rescue: (error: unknown) => Soon<T>): Soon<T> {
  try {
    const value = work();
    return value instanceof Promise ? value.catch(rescue) : value;
  } catch (error) {
    return rescue(error);
  }
}
