/** Tells when nothing has been heard for too long. */
export interface Patience {
  readonly signal: AbortSignal;
  /** Something was heard, or is waited for again: the time begins anew. */
  heard(): void;
  /** Nobody waits just now. */
  rest(): void;
  /** Ends what is waited for, at whoever's wish. */
  end(reason: Error): void;
}

/** The signal is aborted after so many milliseconds in which nothing was heard. */
export function createPatience(milliseconds: number): Patience {
  const controller = new AbortController();
  let timer: ReturnType<typeof setTimeout> | undefined;

  function rest(): void {
    clearTimeout(timer);
    timer = undefined;
  }

  function heard(): void {
    rest();
    const reason = new Error(`nothing was heard for ${Math.round(milliseconds) / 1000} s`);
    timer = setTimeout(() => controller.abort(reason), milliseconds);
  }

  heard();
  return {
    signal: controller.signal,
    heard,
    rest,
    end(reason) {
      rest();
      controller.abort(reason);
    },
  };
}
