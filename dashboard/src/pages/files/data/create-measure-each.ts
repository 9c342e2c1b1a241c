import type { MeasuredFolder } from "../../../../../sdk/src/holdall.ts";

export interface MeasureEachOptions {
  /** Measures folders in one request; undefined: one of them does not exist. */
  readonly measure: (
    ids: readonly string[],
    signal: AbortSignal,
  ) => Promise<readonly MeasuredFolder[] | undefined>;
  /** How long several folders may take together. */
  readonly togetherMs: number;
  /** How long a folder may take alone. */
  readonly aloneMs: number;
}

/** Yields the folders that could be measured, as soon as they are. */
export type MeasureEach = (
  ids: readonly string[],
  signal: AbortSignal,
) => AsyncGenerator<readonly MeasuredFolder[], void>;

/**
 * Measures folders together, or in halves if one of them does not exist or they take too long: one
 * huge folder must not keep the sizes of the others away.
 */
export function createMeasureEach(options: MeasureEachOptions): MeasureEach {
  const { measure, togetherMs, aloneMs } = options;

  async function measureInTime(ids: readonly string[], signal: AbortSignal) {
    const late = AbortSignal.timeout(ids.length > 1 ? togetherMs : aloneMs);
    try {
      return await measure(ids, AbortSignal.any([signal, late]));
    } catch (error) {
      if (signal.aborted || !late.aborted) throw error;
      return undefined;
    }
  }

  return async function* measureEach(ids, signal): ReturnType<MeasureEach> {
    const each = await measureInTime(ids, signal);
    if (each !== undefined) {
      yield each;
    } else if (ids.length > 1) {
      const middle = Math.ceil(ids.length / 2);
      yield* measureEach(ids.slice(0, middle), signal);
      yield* measureEach(ids.slice(middle), signal);
    }
  };
}
