import { ConnectionClosed } from "../../domain/faults/connection-closed.ts";
import { Fault } from "../../domain/faults/fault.ts";
import type { MaybePromise } from "../../lib/maybe-promise.ts";
import type { TimeSlices } from "../../lib/time-slices.ts";

/**
 * Lets clients take turns. A bounded number of a client's requests runs at once, and the others wait. All
 * running requests together start within the time slices, except some short ones, so a client with many requests delays the
 * others by no more than a slice.
 */
export interface Turns {
  /**
   * Runs `work` in the client's turn, which lasts until its promise settles. Faults: "rate_limited", at
   * once: too many requests of the client wait; `ConnectionClosed`: the client left while it waited.
   */
  run<T>(client: string, request: WaitingRequest, work: () => MaybePromise<T>): Promise<T>;
  /**
   * Like `run`, for work of far less than a millisecond: several requests that arrive together start together, so that
   * changes share a commit.
   */
  runShort<T>(client: string, request: WaitingRequest, work: () => MaybePromise<T>): Promise<T>;
}

export type WaitingRequest = Pick<Request, "signal">;

export interface TurnsOptions {
  readonly slices: Pick<TimeSlices, "next">;
  /** Requests of a client that run at once. */
  readonly maxRunning?: number;
  /** Requests of a client that wait. */
  readonly maxWaiting?: number;
  /** Requests of all clients that wait: the more clients wait, the fewer of each. */
  readonly maxWaitingInAll?: number;
}

interface Client {
  running: number;
  readonly waiting: (() => void)[];
}

/** A client waits for its own requests only, so those that wait for the catalog should be some. */
const MAX_RUNNING = 8;
/** More than a client needs that sends all its requests at once. */
const MAX_WAITING = 500;
/** A request that waits takes about 10 KB. */
const MAX_WAITING_IN_ALL = 5000;
/** However many clients wait. */
const MIN_WAITING = 4;
/** Requests with short work that start in one turn of the event loop: all that one client runs at once. */
const MAX_SHORT = MAX_RUNNING;

export function createTurns(options: TurnsOptions): Turns {
  const { slices, maxRunning = MAX_RUNNING, maxWaiting = MAX_WAITING } = options;
  const { maxWaitingInAll = MAX_WAITING_IN_ALL } = options;
  const clients = new Map<string, Client>();
  /** The requests that have begun in this turn of the event loop. */
  let begun = 0;

  /**
   * The first requests of a turn of the loop, `atOnce` of them, delay nobody for long. Their answers then come before the runtime's to
   * malformed bytes that follow them.
   */
  function begin(atOnce: number): MaybePromise<void> {
    if (begun >= atOnce) return slices.next();
    begun += 1;
    if (begun > 1) return;
    setImmediate(() => {
      begun = 0;
    });
  }

  function clientOf(id: string): Client {
    const known = clients.get(id);
    if (known !== undefined) return known;
    const client: Client = { running: 0, waiting: [] };
    clients.set(id, client);
    return client;
  }

  async function start(client: Client): Promise<void> {
    if (client.running < maxRunning) {
      client.running += 1;
      return;
    }
    const share = Math.max(MIN_WAITING, maxWaitingInAll / clients.size);
    if (client.waiting.length >= Math.min(maxWaiting, share)) throw tooManyWaiting();
    await new Promise<void>((resolve) => client.waiting.push(resolve));
  }

  function end(id: string, client: Client): void {
    const next = client.waiting.shift();
    if (next === undefined) client.running -= 1;
    else next();
    if (client.running === 0) clients.delete(id);
  }

  async function runWith<T>(
    atOnce: number,
    { id, request }: { readonly id: string; readonly request: WaitingRequest },
    work: () => MaybePromise<T>,
  ): Promise<T> {
    const client = clientOf(id);
    // Read before the wait: the runtime may not tell a signal that is made after the end.
    const signal = client.running < maxRunning ? undefined : request.signal;
    await start(client);
    try {
      await begin(atOnce);
      if (signal?.aborted) throw clientGone();
      return await work();
    } finally {
      end(id, client);
    }
  }

  return {
    run: (id, request, work) => runWith(1, { id, request }, work),
    runShort: (id, request, work) => runWith(MAX_SHORT, { id, request }, work),
  };
}

const clientGone = (): ConnectionClosed =>
  new ConnectionClosed("The connection closed while the request waited for its turn.");

const tooManyWaiting = (): Fault =>
  new Fault("rate_limited", "Too many of your requests wait to be served. Try again in 1 s.", {
    retryAfter: 1,
  });
