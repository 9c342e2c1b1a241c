import { IDLE_SECONDS, type IdleTimer } from "./pause-idle-timer.ts";
import { type Peer, readSendQueues } from "./send-queues.ts";

/**
 * Keeps slow readers and ends those that have stopped. The runtime closes a connection to which it could
 * write nothing for `IDLE_SECONDS`. But the kernel holds megabytes for a client, and takes more only when a
 * third of them is sent: at 1 KB per second that takes far longer. So this asks the kernel whether the
 * client receives anything.
 */
export interface ReaderWatch {
  /** Watches the response to a request until it is complete. Cheap. */
  watch(request: Request): void;
  stop(): void;
}

/** The part of the runtime's server that this needs. */
interface Connections extends IdleTimer {
  requestIP(request: Request): Peer | null;
  readonly port: number | undefined;
}

export interface ReaderLimits {
  /** A client that receives nothing for this long has stopped reading. */
  readonly silenceMs: number;
  /** The same for a client that was slow before: it received something after a pause of `pauseMs`. */
  readonly slowSilenceMs: number;
  readonly pauseMs: number;
  readonly checkEveryMs: number;
  /** How long the runtime waits by itself; more than `checkEveryMs`. */
  readonly idleSeconds: number;
}

/**
 * A client announces room only when its buffer is nearly empty. At 1 KB per second, a buffer of the usual
 * size is empty after 130 seconds at most. But the buffer grows, so later pauses can take longer.
 */
const LIMITS: ReaderLimits = {
  silenceMs: 250_000,
  slowSilenceMs: 900_000,
  pauseMs: 30_000,
  checkEveryMs: 20_000,
  idleSeconds: IDLE_SECONDS,
};

/** So many requests may be kept before those that are complete are dropped. */
const MIN_BEFORE_SWEEP = 1000;

interface Progress {
  queue: number;
  since: number;
  isSlow: boolean;
}

export function watchReaders(server: Connections, limits = LIMITS): ReaderWatch {
  const { silenceMs, slowSilenceMs, pauseMs, checkEveryMs, idleSeconds } = limits;
  const watched = new Map<Request, Progress>();
  let sweepAt = MIN_BEFORE_SWEEP;
  let isChecking = false;

  function dropComplete(): void {
    for (const request of watched.keys()) {
      if (server.requestIP(request) === null) watched.delete(request);
    }
    sweepAt = Math.max(MIN_BEFORE_SWEEP, 2 * watched.size);
  }

  async function check(): Promise<void> {
    dropComplete();
    if (watched.size === 0) return;
    const queueOf = await readSendQueues(server.port ?? 0);
    const now = performance.now();
    for (const [request, progress] of watched) {
      const peer = server.requestIP(request);
      const queue = peer === null ? undefined : queueOf(peer);
      // Complete meanwhile, or the system does not say: then the runtime's own timer decides.
      if (queue === undefined) continue;
      // Without bytes to send, the client waits for the server.
      if (queue !== progress.queue || queue === 0) {
        progress.isSlow ||= queue > 0 && now - progress.since >= pauseMs;
        progress.queue = queue;
        progress.since = now;
      }
      const allowedMs = progress.isSlow ? slowSilenceMs : silenceMs;
      const hasStopped = now - progress.since >= allowedMs;
      server.timeout(request, hasStopped ? 1 : idleSeconds);
      // Another call would start the second again.
      if (hasStopped) watched.delete(request);
    }
  }

  const timer = setInterval(() => {
    if (isChecking) return;
    isChecking = true;
    void check().finally(() => {
      isChecking = false;
    });
  }, checkEveryMs);
  timer.unref();

  return {
    watch(request) {
      if (watched.has(request)) return;
      watched.set(request, { queue: 0, since: performance.now(), isSlow: false });
      if (watched.size >= sweepAt) dropComplete();
    },
    stop: () => clearInterval(timer),
  };
}
