const WINDOW_MS = 6_000;
const SOON_MS = 1_000;

/** How fast something goes: bytes per second over the last few seconds. */
export interface Speed {
  /** So many bytes have gone by in all. */
  note(total: number, now: number): void;
  /** undefined: it has not gone on for long enough to tell. */
  now(now: number): number | undefined;
  reset(): void;
}

export function createSpeed(): Speed {
  let samples: { readonly at: number; readonly total: number }[] = [];
  return {
    note(total, now) {
      samples.push({ at: now, total });
      // The last one before the window stays: it is where the window begins.
      while ((samples[1]?.at ?? now) < now - WINDOW_MS) samples.shift();
    },
    now(now) {
      const [first] = samples;
      const last = samples.at(-1);
      if (first === undefined || last === undefined || now - first.at < SOON_MS) return undefined;
      return ((last.total - first.total) * 1_000) / (now - first.at);
    },
    reset() {
      samples = [];
    },
  };
}

/** Seconds until `left` bytes are gone; undefined: nobody can tell. */
export const secondsLeft = (left: number, speed: number | undefined): number | undefined =>
  speed === undefined || speed < 1 ? undefined : left / speed;
