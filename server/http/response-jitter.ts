/**
 * Resolves at the next beat, together with all who wait for it. Beats come one to three
 * milliseconds after the first who asks for one, at random.
 *
 * What leaves at a beat does not tell by its time how long it took to make: some microseconds more
 * or less shift an answer only when they pass a beat, and that seldom, and nobody knows when.
 */
export type ResponseJitter = () => Promise<void>;

const SHORTEST_MS = 1;
const LONGEST_MS = 3;

export function createResponseJitter(): ResponseJitter {
  let next: Promise<void> | undefined;

  function start(): Promise<void> {
    const length = SHORTEST_MS + Math.floor(Math.random() * (LONGEST_MS - SHORTEST_MS + 1));
    return Bun.sleep(length).then(() => {
      next = undefined;
    });
  }

  return () => {
    next ??= start();
    return next;
  };
}
