const WINDOW_MS = 6_000;
const MIN_SPAN_MS = 1_000;

/** Measures bytes per second over the last few seconds. */
export interface Speed {
  /** Records the total number of bytes so far. */
  record(total: number, now: number): void;
  /** Undefined until there are enough samples. */
  now(now: number): number | undefined;
  reset(): void;
}

export function createSpeed(): Speed {
  let samples: { readonly at: number; readonly total: number }[] = [];
  return {
    record(total, now) {
      samples.push({ at: now, total });
      // Keep one sample before the window: it marks the window's start.
      while ((samples[1]?.at ?? now) < now - WINDOW_MS) samples.shift();
    },
    now(now) {
      const [first] = samples;
      const last = samples.at(-1);
      if (first === undefined || last === undefined || now - first.at < MIN_SPAN_MS)
        return undefined;
      return ((last.total - first.total) * 1_000) / (now - first.at);
    },
    reset() {
      samples = [];
    },
  };
}

/** Seconds until `left` bytes are sent; undefined if unknown. */
export const secondsLeft = (left: number, speed: number | undefined): number | undefined =>
  speed === undefined || speed < 1 ? undefined : left / speed;
