import { Fault } from "./faults/fault.ts";

/** The slowest that the body of a request may arrive. */
export interface MinimumPace {
  /** Without a single byte for this long, a body is silent. */
  readonly silenceMs: number;
  /** The average over `windowMs`. */
  readonly bytesPerSecond: number;
  readonly windowMs: number;
}

/** For every body: slow is not silent, so it is far below what the worst connection brings. */
export const MINIMUM_PACE: MinimumPace = {
  silenceMs: 120_000,
  bytesPerSecond: 256,
  windowMs: 300_000,
};

/** Measures how fast a body arrives. Only the time in which the server waits for the client counts. */
export interface BodyPace {
  /** Waits for more of the body. Fault "too_slow": it is silent, or was too slow until now. */
  wait<T>(more: Promise<T>): Promise<T>;
  /** To be called with the bytes of each chunk. */
  count(bytes: number): void;
  /** To be called when nothing more is awaited. */
  end(): void;
}

export function createBodyPace(pace = MINIMUM_PACE): BodyPace {
  const { silenceMs, bytesPerSecond, windowMs } = pace;
  let bytes = 0;
  let waitedMs = 0;
  let onSilence = (): void => {};
  // One timer for all waits: a large body has thousands.
  const timer = setTimeout(() => onSilence(), silenceMs);

  return {
    async wait<T>(more: Promise<T>): Promise<T> {
      if (waitedMs >= windowMs) {
        if (bytes * 1000 < bytesPerSecond * waitedMs) throw tooSlow(pace);
        bytes = 0;
        waitedMs = 0;
      }
      const from = performance.now();
      timer.refresh();
      try {
        return await new Promise<T>((resolve, reject) => {
          onSilence = () => reject(silent(pace));
          more.then(resolve, reject);
        });
      } finally {
        onSilence = () => {};
        waitedMs += performance.now() - from;
      }
    },
    count(more) {
      bytes += more;
    },
    end: () => clearTimeout(timer),
  };
}

const silent = ({ silenceMs }: MinimumPace): Fault =>
  new Fault("too_slow", `No byte of the body has arrived for ${silenceMs / 1000} seconds.`);

const tooSlow = ({ bytesPerSecond, windowMs }: MinimumPace): Fault =>
  new Fault(
    "too_slow",
    `The body arrived more slowly than ${bytesPerSecond} bytes per second for ${windowMs / 1000} seconds.`,
  );
