/**
 * Delays a response to a constant-time tick: resolves one to three milliseconds, at random, after
 * the first call, for all calls made until then. The time of the response then does not reveal how
 * long it took to make: a difference of microseconds matters only when it crosses a tick.
 */
export type ResponseJitter = () => Promise<void>;

const MIN_MS = 1;
const MAX_MS = 3;

export function createResponseJitter(): ResponseJitter {
  let next: Promise<void> | undefined;

  function start(): Promise<void> {
    const delay = MIN_MS + Math.floor(Math.random() * (MAX_MS - MIN_MS + 1));
    return Bun.sleep(delay).then(() => {
      next = undefined;
    });
  }

  return () => {
    next ??= start();
    return next;
  };
}
