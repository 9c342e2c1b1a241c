import { sleep } from "../../runtime/sleep.ts";
/**
 * Constant-time response delay: resolves at a shared tick, a random one to three milliseconds after
 * the first call that waits for it. The response time then does not reveal how long the response
 * took to make: a difference of microseconds shows only when it crosses a tick.
 *
 * A private and a missing file get identical bytes from the same steps, but ten thousand samples
 * distinguished them: reading an existing row takes two microseconds more. Making the steps equal would
 * have to be repeated for every cache, engine and driver. With the delay, a difference moves about one
 * response in a thousand past a tick, which would take millions of samples (`npm run hostile -- timing`).
 */
export type ResponseJitter = () => Promise<void>;

const MIN_MS = 1;
const MAX_MS = 3;

export function createResponseJitter(): ResponseJitter {
  let next: Promise<void> | undefined;

  function start(): Promise<void> {
    const delay = MIN_MS + Math.floor(Math.random() * (MAX_MS - MIN_MS + 1));
    return sleep(delay).then(() => {
      next = undefined;
    });
  }

  return () => {
    next ??= start();
    return next;
  };
}
