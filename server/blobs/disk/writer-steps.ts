/** The steps of a writer, in order. */
export interface WriterSteps {
  /** Rejects with a fault, also after a failure or the last step. */
  run(step: () => Promise<void>): Promise<void>;
  /** Like `run`; the step is the last one if it succeeds. */
  seal(step: () => Promise<void>): Promise<void>;
  /**
   * Runs once, after the steps that were asked for before, whatever became of them: if a descriptor
   * was closed during a write, the write could reach another file that got the same number.
   */
  discard(step: () => Promise<boolean>): Promise<boolean>;
}

/** Runs one step at a time, and none after a failure. `faultOf` translates errors. */
export function createWriterSteps(faultOf: (error: unknown) => unknown): WriterSteps {
  let state: "open" | "sealed" | "failed" | "discarded" = "open";
  let discarding: Promise<boolean> | undefined;
  let last: Promise<unknown> = Promise.resolve();

  function run(step: () => Promise<void>): Promise<void> {
    const result = last.then(async () => {
      if (state !== "open") throw new Error(`This writer is ${state} and cannot be used.`);
      try {
        await step();
      } catch (error) {
        state = "failed";
        throw faultOf(error);
      }
    });
    last = result.catch(() => {});
    return result;
  }

  return {
    run,
    seal: (step) =>
      run(async () => {
        await step();
        state = "sealed";
      }),
    discard(step) {
      discarding ??= last.then(() => {
        state = "discarded";
        return step();
      });
      last = discarding;
      return discarding;
    },
  };
}
