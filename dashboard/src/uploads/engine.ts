import { type Holdall, HoldallError } from "../../../sdk/src/holdall.ts";
import { formatExactBytes } from "../text/format-exact-bytes.ts";
import { distributeProgress, nextBundle } from "./bundle.ts";
import { type ConflictDecision, type Item, itemOf, type Source } from "./item.ts";
import { MAX_REQUESTS_PER_MINUTE, paceDelay, recentStarts } from "./pace.ts";
import * as steps from "./queue.ts";
import { createSpeed, type Speed } from "./speed.ts";
import { transfer } from "./transfer.ts";

/** Why uploads are paused. */
export type Pause =
  /** The server cannot be reached; resumes automatically. */
  | { readonly reason: "network" }
  /** The API's rate limit; resumes automatically. */
  | { readonly reason: "limit"; readonly until: number }
  /** The session has ended. */
  | { readonly reason: "session" }
  /** The storage is full, with the server's message. Needs `resume()`. */
  | { readonly reason: "room"; readonly message: string };

export interface UploadsState {
  readonly items: steps.Queue;
  readonly pause: Pause | undefined;
  /** Total bytes per second. */
  readonly speed: number | undefined;
}

export interface UploadLimits {
  readonly files: number;
  readonly bytes: number;
}

export interface EngineParts {
  /** Must not have a custom `fetch`, since that reports no progress. */
  readonly client: Holdall;
  readonly limits: () => Promise<UploadLimits>;
  /** Resolves when the server can be reached. */
  readonly whenReachable: () => Promise<void>;
  /** Called when files have been stored. */
  readonly onStored: () => void;
}

export interface Uploads {
  state(): UploadsState;
  subscribe(listener: () => void): () => void;
  add(sources: readonly Source[]): void;
  cancel(ids: steps.Ids | "all"): void;
  retry(ids: steps.Ids | "failed"): void;
  /** Decides about conflicting names; "all" includes later conflicts. */
  decide(ids: steps.Ids | "all", decision: Exclude<ConflictDecision, "ask"> | "skip"): void;
  /** Resumes after a pause that needs the user. */
  resume(): void;
  /** Handles a lost network: aborts running requests and restarts them when it is back. */
  interrupt(): void;
  /** Empties the queue, unless uploads are pending. */
  clear(): void;
}

const MAX_CONCURRENT = 3;
const PUBLISH_MS = 150;
const MAX_INTERRUPTIONS = 3;
const RETRY_MS = 1_000;
const BUSY_RETRY_MS = 3_000;

export function createUploads(parts: EngineParts): Uploads {
  const { client } = parts;
  let items: steps.Queue = [];
  let pause: Pause | undefined;
  let state: UploadsState = { items, pause, speed: undefined };
  let lastId = 0;
  let starts: number[] = [];
  let limits: UploadLimits = { files: 1, bytes: Number.POSITIVE_INFINITY };
  let hasLimits = false;
  let isWaitingForServer = false;
  let decisionForAll: Exclude<ConflictDecision, "ask"> | "skip" | undefined;
  const listeners = new Set<() => void>();
  const requests = new Map<AbortController, readonly Item[]>();
  const total = createSpeed();
  let totalBytes = 0;
  const pendingProgress = new Map<number, steps.Sent>();
  let publishTimer: ReturnType<typeof setTimeout> | undefined;
  let startTimer: ReturnType<typeof setTimeout> | undefined;

  function publish(): void {
    clearTimeout(publishTimer);
    publishTimer = undefined;
    if (pendingProgress.size > 0) items = steps.progress(items, pendingProgress);
    pendingProgress.clear();
    const now = performance.now();
    if (requests.size === 0 || pause !== undefined) total.reset();
    state = { items, pause, speed: total.now(now) };
    for (const listener of listeners) listener();
  }

  function set(next: steps.Queue): void {
    items = next;
    publish();
  }

  function startNext(): void {
    clearTimeout(startTimer);
    if (pause !== undefined) return;
    while (requests.size < MAX_CONCURRENT) {
      const bundle = nextBundle(items, limits);
      if (bundle.length === 0) break;
      const delay = paceDelay(starts, Date.now(), MAX_REQUESTS_PER_MINUTE);
      if (delay > 0) {
        startTimer = setTimeout(startNext, delay);
        break;
      }
      starts = [...recentStarts(starts, Date.now()), Date.now()];
      void send(bundle);
    }
    publish();
  }

  async function send(bundle: readonly Item[]): Promise<void> {
    const ids = new Set(bundle.map(({ id }) => id));
    const controller = new AbortController();
    requests.set(controller, bundle);
    set(steps.start(items, ids));
    try {
      const speed = createSpeed();
      let before = 0;
      const taken = await transfer(client, bundle, {
        signal: controller.signal,
        onProgress: (loaded) => {
          totalBytes += loaded - before;
          before = loaded;
          recordProgress(bundle, loaded, speed);
        },
      });
      items = steps.finish(items, ids, taken);
      if (taken.size > 0 && decisionForAll !== undefined)
        items = steps.decide(items, taken, decisionForAll);
      if (taken.size < ids.size) parts.onStored();
    } catch (error) {
      items = afterFailure(bundle, ids, error, controller.signal.aborted);
    }
    requests.delete(controller);
    startNext();
  }

  function recordProgress(bundle: readonly Item[], loaded: number, speed: Speed): void {
    const now = performance.now();
    speed.record(loaded, now);
    total.record(totalBytes, now);
    const each = bundle.length === 1 ? speed.now(now) : undefined;
    for (const [id, sent] of distributeProgress(bundle, loaded))
      pendingProgress.set(id, { sent, speed: each });
    publishTimer ??= setTimeout(publish, PUBLISH_MS);
  }

  function afterFailure(
    bundle: readonly Item[],
    ids: steps.Ids,
    error: unknown,
    isAborted: boolean,
  ): steps.Queue {
    if (isAborted) return steps.putBack(items, ids, { mayBeStored: true });
    const message = error instanceof Error ? error.message : String(error);
    const status = error instanceof HoldallError ? error.status : undefined;
    switch (status) {
      case 0:
      case 502:
      case 503:
      case 504:
        return afterInterruption(bundle, message, status);
      case 401:
        pauseFor({ reason: "session" });
        return steps.putBack(items, ids);
      case 429: {
        const wait = (error instanceof HoldallError ? error.retryAfter : undefined) ?? 5;
        pauseFor({ reason: "limit", until: Date.now() + wait * 1_000 });
        setTimeout(() => endPause("limit"), wait * 1_000);
        return steps.putBack(items, ids);
      }
      case 507:
        pauseFor({ reason: "room", message });
        return steps.putBack(items, ids);
      default:
        return bundle.length > 1
          ? steps.putBack(items, ids, { sendAlone: true })
          : steps.fail(items, ids, message);
    }
  }

  /** The cause may be the network, the server, or a file that cannot be read. */
  function afterInterruption(
    bundle: readonly Item[],
    message: string,
    status: number,
  ): steps.Queue {
    let next = items;
    for (const { id, interruptions } of bundle) {
      const one = new Set([id]);
      const changes = {
        mayBeStored: true,
        interruptions: interruptions + 1,
        sendAlone: bundle.length > 1 && interruptions > 0,
      };
      next =
        interruptions >= MAX_INTERRUPTIONS
          ? steps.fail(next, one, message)
          : steps.putBack(next, one, changes);
    }
    waitForServer(status === 0 ? RETRY_MS : BUSY_RETRY_MS);
    return next;
  }

  function waitForServer(delayMs: number): void {
    pauseFor({ reason: "network" });
    if (isWaitingForServer) return;
    isWaitingForServer = true;
    setTimeout(async () => {
      const since = Date.now();
      await parts.whenReachable();
      isWaitingForServer = false;
      // The server was down, so the files are not to blame.
      if (Date.now() - since > BUSY_RETRY_MS) resetInterruptions();
      endPause("network");
    }, delayMs);
  }

  function resetInterruptions(): void {
    items = items.map((item) => (item.interruptions > 0 ? { ...item, interruptions: 0 } : item));
  }

  function pauseFor(reason: Pause): void {
    // A pause that needs the user is not replaced by one that ends automatically.
    if (pause?.reason === "session" || pause?.reason === "room") return;
    pause = reason;
  }

  function endPause(reason: Pause["reason"]): void {
    if (pause?.reason !== reason) return;
    if (pause.reason === "limit" && pause.until > Date.now() + 50) return;
    pause = undefined;
    startNext();
  }

  /** Aborts the requests of these items; other items of the same requests go back to waiting. */
  function abortFor(matches: (item: Item) => boolean): void {
    for (const [controller, bundle] of requests) if (bundle.some(matches)) controller.abort();
  }

  async function loadLimits(): Promise<void> {
    if (hasLimits) return;
    try {
      limits = await parts.limits();
      hasLimits = true;
    } catch {
      // The server enforces the limits anyway, only later.
      limits = { files: 100, bytes: Number.POSITIVE_INFINITY };
    }
  }

  function failTooLarge(): void {
    for (const { id, state, size, name } of items) {
      if (state !== "waiting" || size <= limits.bytes) continue;
      items = steps.fail(
        items,
        new Set([id]),
        `“${name}” is larger than the limit of ${formatExactBytes(limits.bytes)}.`,
      );
    }
  }

  return {
    state: () => state,
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    add(sources) {
      // "Apply to all" ends with the queue in which it was chosen.
      if (!items.some(({ state }) => isPending(state))) decisionForAll = undefined;
      const added = sources.map((source) => {
        lastId += 1;
        return itemOf(lastId, source);
      });
      set([...items, ...added]);
      void loadLimits().then(() => {
        failTooLarge();
        startNext();
      });
    },
    cancel(ids) {
      items = steps.cancel(items, ids);
      abortFor(({ id }) => ids === "all" || ids.has(id));
      if (pause?.reason === "room" && ids === "all") pause = undefined;
      publish();
      startNext();
    },
    retry(ids) {
      set(steps.retry(items, ids));
      hasLimits = false;
      void loadLimits().then(() => {
        failTooLarge();
        startNext();
      });
    },
    decide(ids, decision) {
      if (ids === "all") decisionForAll = decision;
      set(steps.decide(items, ids, decision));
      startNext();
    },
    resume() {
      if (pause?.reason !== "session" && pause?.reason !== "room") return;
      pause = undefined;
      startNext();
    },
    interrupt() {
      if (requests.size === 0) return;
      waitForServer(RETRY_MS);
      abortFor(() => true);
      publish();
    },
    clear() {
      if (!items.some(({ state }) => isPending(state))) set([]);
    },
  };
}

const isPending = (state: Item["state"]): boolean =>
  state === "waiting" || state === "sending" || state === "taken";
