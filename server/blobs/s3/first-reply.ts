/** Sends a request on a connection of its own; `isAgain`: on a new one. */
type Send = (signal: AbortSignal, isAgain: boolean) => Promise<Response>;

export interface FirstReply {
  readonly response: Response;
  /** If more than one, the receiver may have executed the request several times. */
  readonly tries: number;
}

/** Decides whether a request may be sent again now. A granted one is given back once it has ended. */
export interface TryBudget {
  take(): boolean;
  giveBack(): void;
}

const NEXT_TRY_MS = 2000;
const MAX_TRIES = 3;

/**
 * Sends a request, and again on a new connection whenever there was no reply for `nextTryMs`: some
 * connections to a store may hang while others work. The first reply counts, and the other tries are
 * aborted. Rejects when every try has failed. `signal` ends all of them, also while the body is read.
 */
export function firstReply(
  send: Send,
  signal: AbortSignal,
  budget: TryBudget,
  nextTryMs = NEXT_TRY_MS,
): Promise<FirstReply> {
  const { promise, resolve, reject } = Promise.withResolvers<FirstReply>();
  const tries: AbortController[] = [];
  let running = 0;
  let isOver = false;
  let timer: ReturnType<typeof setTimeout> | undefined;

  function end(): void {
    isOver = true;
    clearTimeout(timer);
  }

  function onReply(response: Response, own: AbortController): void {
    if (isOver) {
      own.abort();
      return;
    }
    end();
    for (const other of tries) if (other !== own) other.abort();
    resolve({ response, tries: tries.length });
  }

  function onFailure(error: unknown): void {
    running -= 1;
    if (isOver || running > 0) return;
    end();
    reject(error);
  }

  function start(isAgain: boolean): void {
    const own = new AbortController();
    tries.push(own);
    running += 1;
    const sent = send(AbortSignal.any([signal, own.signal]), isAgain);
    void sent
      .then((response) => onReply(response, own), onFailure)
      .finally(() => {
        if (isAgain) budget.giveBack();
      });
    if (tries.length < MAX_TRIES) timer = setTimeout(startAgain, nextTryMs);
  }

  function startAgain(): void {
    if (budget.take()) start(true);
    else timer = setTimeout(startAgain, nextTryMs);
  }

  start(false);
  return promise;
}

/** At most `max` at a time, so that a store that is slow does not get every request several times. */
export function createTryBudget(max: number): TryBudget {
  let taken = 0;
  return {
    take() {
      if (taken >= max) return false;
      taken += 1;
      return true;
    },
    giveBack() {
      taken -= 1;
    },
  };
}
