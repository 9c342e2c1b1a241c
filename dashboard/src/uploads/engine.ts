import { type Holdall, HoldallError } from "../../../sdk/src/holdall.ts";
import { exactBytesText } from "../text/exact-bytes.ts";
import { nextBundle, spread } from "./bundle.ts";
import { type Decision, type Item, itemOf, type Source } from "./item.ts";
import { MOST_A_MINUTE, paceDelay, recentStarts } from "./pace.ts";
import * as steps from "./queue.ts";
import { createSpeed, type Speed } from "./speed.ts";
import { transfer } from "./transfer.ts";

/** Why uploads are paused. */
export type Pause =
  /** The server cannot be reached; resumes automatically. */
  | { readonly why: "network" }
  /** The API's rate limit; resumes automatically. */
  | { readonly why: "limit"; readonly until: number }
  /** The session has ended. */
  | { readonly why: "session" }
  /** The storage is full, with the server's message. Needs `resume()`. */
  | { readonly why: "room"; readonly message: string };

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
  decide(ids: steps.Ids | "all", decision: Exclude<Decision, "ask"> | "skip"): void;
  /** Resumes after a pause that needs the user. */
  resume(): void;
  /** Handles a lost network: aborts running requests and restarts them when it is back. */
  interrupt(): void;
  /** Empties the queue, unless uploads are pending. */
  clear(): void;
}

const AT_ONCE = 3;
const TELL_MS = 150;
const MOST_BREAKS = 3;
const BREATH_MS = 1_000;
const BUSY_MS = 3_000;

export function createUploads(parts: EngineParts): Uploads {
  const { client } = parts;
  let items: steps.Queue = [];
  let pause: Pause | undefined;
  let state: UploadsState = { items, pause, speed: undefined };
  let lastId = 0;
  let starts: number[] = [];
  let limits: UploadLimits = { files: 1, bytes: Number.POSITIVE_INFINITY };
  let areLimitsKnown = false;
  let isWaiting = false;
  let forAll: Exclude<Decision, "ask"> | "skip" | undefined;
  const listeners = new Set<() => void>();
  const requests = new Map<AbortController, readonly Item[]>();
  const total = createSpeed();
  let totalBytes = 0;
  const news = new Map<number, steps.Sent>();
  let telling: ReturnType<typeof setTimeout> | undefined;
  let pumping: ReturnType<typeof setTimeout> | undefined;

  function tell(): void {
    clearTimeout(telling);
    telling = undefined;
    if (news.size > 0) items = steps.progress(items, news);
    news.clear();
    const now = performance.now();
    if (requests.size === 0 || pause !== undefined) total.reset();
    state = { items, pause, speed: total.now(now) };
    for (const listener of listeners) listener();
  }

  function set(next: steps.Queue): void {
    items = next;
    tell();
  }

  function pump(): void {
    clearTimeout(pumping);
    if (pause !== undefined) return;
    while (requests.size < AT_ONCE) {
      const bundle = nextBundle(items, limits);
      if (bundle.length === 0) break;
      const delay = paceDelay(starts, Date.now(), MOST_A_MINUTE);
      if (delay > 0) {
        pumping = setTimeout(pump, delay);
        break;
      }
      starts = [...recentStarts(starts, Date.now()), Date.now()];
      void send(bundle);
    }
    tell();
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
          noteProgress(bundle, loaded, speed);
        },
      });
      items = steps.finish(items, ids, taken);
      if (taken.size > 0 && forAll !== undefined) items = steps.decide(items, taken, forAll);
      if (taken.size < ids.size) parts.onStored();
    } catch (error) {
      items = afterFailure(bundle, ids, error, controller.signal.aborted);
    }
    requests.delete(controller);
    pump();
  }

  function noteProgress(bundle: readonly Item[], loaded: number, speed: Speed): void {
    const now = performance.now();
    speed.note(loaded, now);
    total.note(totalBytes, now);
    const each = bundle.length === 1 ? speed.now(now) : undefined;
    for (const [id, sent] of spread(bundle, loaded)) news.set(id, { sent, speed: each });
    telling ??= setTimeout(tell, TELL_MS);
  }

  function afterFailure(
    bundle: readonly Item[],
    ids: steps.Ids,
    error: unknown,
    isAborted: boolean,
  ): steps.Queue {
    if (isAborted) return steps.putBack(items, ids, { unsure: true });
    const message = error instanceof Error ? error.message : String(error);
    const status = error instanceof HoldallError ? error.status : undefined;
    switch (status) {
      case 0:
      case 502:
      case 503:
      case 504:
        return afterBreak(bundle, message, status);
      case 401:
        hold({ why: "session" });
        return steps.putBack(items, ids);
      case 429: {
        const wait = (error instanceof HoldallError ? error.retryAfter : undefined) ?? 5;
        hold({ why: "limit", until: Date.now() + wait * 1_000 });
        setTimeout(() => release("limit"), wait * 1_000);
        return steps.putBack(items, ids);
      }
      case 507:
        hold({ why: "room", message });
        return steps.putBack(items, ids);
      default:
        return bundle.length > 1
          ? steps.putBack(items, ids, { alone: true })
          : steps.fail(items, ids, message);
    }
  }

  /** The cause may be the network, the server, or a file that cannot be read. */
  function afterBreak(bundle: readonly Item[], message: string, status: number): steps.Queue {
    let next = items;
    for (const { id, breaks } of bundle) {
      const one = new Set([id]);
      const again = {
        unsure: true,
        breaks: breaks + 1,
        alone: bundle.length > 1 && breaks > 0,
      };
      next =
        breaks >= MOST_BREAKS ? steps.fail(next, one, message) : steps.putBack(next, one, again);
    }
    waitForServer(status === 0 ? BREATH_MS : BUSY_MS);
    return next;
  }

  function waitForServer(first: number): void {
    hold({ why: "network" });
    if (isWaiting) return;
    isWaiting = true;
    setTimeout(async () => {
      const since = Date.now();
      await parts.whenReachable();
      isWaiting = false;
      // The server was down, so the files are not to blame.
      if (Date.now() - since > BUSY_MS) forgive();
      release("network");
    }, first);
  }

  function forgive(): void {
    items = items.map((item) => (item.breaks > 0 ? { ...item, breaks: 0 } : item));
  }

  function hold(why: Pause): void {
    // A pause that needs the user is not replaced by one that ends automatically.
    if (pause?.why === "session" || pause?.why === "room") return;
    pause = why;
  }

  function release(why: Pause["why"]): void {
    if (pause?.why !== why) return;
    if (pause.why === "limit" && pause.until > Date.now() + 50) return;
    pause = undefined;
    pump();
  }

  /** Aborts the requests of these items; other items of the same requests go back to waiting. */
  function abortFor(isMeant: (item: Item) => boolean): void {
    for (const [controller, bundle] of requests) if (bundle.some(isMeant)) controller.abort();
  }

  async function learnLimits(): Promise<void> {
    if (areLimitsKnown) return;
    try {
      limits = await parts.limits();
      areLimitsKnown = true;
    } catch {
      // The server enforces the limits anyway, only later.
      limits = { files: 100, bytes: Number.POSITIVE_INFINITY };
    }
  }

  function refuseLarge(): void {
    for (const { id, state, size, name } of items) {
      if (state !== "waiting" || size <= limits.bytes) continue;
      items = steps.fail(
        items,
        new Set([id]),
        `“${name}” is larger than the limit of ${exactBytesText(limits.bytes)}.`,
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
      if (!items.some(({ state }) => isUnsettled(state))) forAll = undefined;
      const added = sources.map((source) => {
        lastId += 1;
        return itemOf(lastId, source);
      });
      set([...items, ...added]);
      void learnLimits().then(() => {
        refuseLarge();
        pump();
      });
    },
    cancel(ids) {
      items = steps.cancel(items, ids);
      abortFor(({ id }) => ids === "all" || ids.has(id));
      if (pause?.why === "room" && ids === "all") pause = undefined;
      tell();
      pump();
    },
    retry(ids) {
      set(steps.retry(items, ids));
      areLimitsKnown = false;
      void learnLimits().then(() => {
        refuseLarge();
        pump();
      });
    },
    decide(ids, decision) {
      if (ids === "all") forAll = decision;
      set(steps.decide(items, ids, decision));
      pump();
    },
    resume() {
      if (pause?.why !== "session" && pause?.why !== "room") return;
      pause = undefined;
      pump();
    },
    interrupt() {
      if (requests.size === 0) return;
      waitForServer(BREATH_MS);
      abortFor(() => true);
      tell();
    },
    clear() {
      if (!items.some(({ state }) => isUnsettled(state))) set([]);
    },
  };
}

const isUnsettled = (state: Item["state"]): boolean =>
  state === "waiting" || state === "sending" || state === "taken";
