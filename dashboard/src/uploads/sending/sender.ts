import type { Holdall } from "../../../../sdk/src/holdall.ts";
import { type Failure, failureOf } from "../failure.ts";
import type { Group } from "../group.ts";
import type { Item } from "../item.ts";
import * as steps from "../queue.ts";
import { createSpeed } from "../speed.ts";
import type { Work } from "../work.ts";
import { distributeProgress, nextBundle, RESUMABLE_ABOVE } from "./bundle.ts";
import { MAX_REQUESTS_PER_MINUTE, paceDelay, recentStarts } from "./pace.ts";
import type { Pauses } from "./pauses.ts";
import { transfer } from "./transfer.ts";

export interface SenderDeps {
  readonly work: Work;
  readonly client: Holdall;
  readonly pauses: Pauses;
  /** Maximum files per request. */
  readonly maxFiles: () => number;
  /** The batch with this URL does not exist any more. */
  readonly onBatchGone: (group: number, url: string) => void;
  /** Called with the items whose names were taken. */
  readonly onTaken: (ids: steps.Ids) => void;
  /** Called when files have appeared. */
  readonly onStored: () => void;
  /** Called after each request. */
  readonly onEnd: () => void;
}

/** Sends the files that wait, in a few requests at a time. */
export interface Sender {
  run(): void;
  isSending(): boolean;
  /** Aborts the requests of these items; other items of the same requests go back to waiting. */
  abort(matches: (item: Item) => boolean): void;
}

const MAX_CONCURRENT = 3;
const MAX_INTERRUPTIONS = 3;

export function createSender(deps: SenderDeps): Sender {
  const { work, client, pauses } = deps;
  const requests = new Map<AbortController, readonly Item[]>();
  let starts: number[] = [];
  let timer: ReturnType<typeof setTimeout> | undefined;

  const isReady = ({ group }: Item): boolean =>
    group === undefined || work.group(group)?.state === "sending";

  function run(): void {
    clearTimeout(timer);
    while (work.pause === undefined && requests.size < MAX_CONCURRENT) {
      const bundle = nextBundle(work.items, { files: deps.maxFiles() }, isReady);
      if (bundle.length === 0) break;
      const delay = paceDelay(starts, Date.now(), MAX_REQUESTS_PER_MINUTE);
      if (delay > 0) {
        timer = setTimeout(run, delay);
        break;
      }
      starts = [...recentStarts(starts, Date.now()), Date.now()];
      void send(bundle);
    }
    work.publish();
  }

  async function send(bundle: readonly Item[]): Promise<void> {
    const ids = new Set(bundle.map(({ id }) => id));
    const controller = new AbortController();
    const { signal } = controller;
    requests.set(controller, bundle);
    work.items = steps.start(work.items, ids);
    work.publish();
    const [first] = bundle;
    const group = work.group(first?.group);
    const { visibility, expiresIn } = work;
    try {
      const outcome = await transfer(client, bundle, group, {
        visibility,
        expiresIn,
        signal,
        onProgress: recorderOf(bundle),
        onCreated: (url) => {
          if (first !== undefined) work.items = steps.addUrl(work.items, first.id, url);
          work.publish();
        },
      });
      work.items = steps.finish(work.items, ids, outcome);
      // An upload URL from before keeps what was named then, so nothing is known of it.
      const isNamed = group === undefined && bundle.every(({ url }) => url === undefined);
      if (isNamed) work.items = steps.nameVisibility(work.items, ids, visibility);
      const { taken } = outcome;
      if (taken.size > 0) deps.onTaken(taken);
      if (taken.size < ids.size && first?.group === undefined) deps.onStored();
    } catch (error) {
      if (signal.aborted) work.items = steps.putBack(work.items, ids, { mayBeStored: true });
      else afterFailure(bundle, ids, error, group);
    }
    requests.delete(controller);
    deps.onEnd();
  }

  function recorderOf(bundle: readonly Item[]): (loaded: number) => void {
    const speed = createSpeed();
    const [first] = bundle;
    const isResumable = first !== undefined && first.size > RESUMABLE_ABOVE;
    // The first report of a resumed upload is what the server has already.
    let before = isResumable ? undefined : 0;
    return (loaded) => {
      const now = performance.now();
      speed.record(loaded, now);
      const more = loaded - (before ?? loaded);
      before = loaded;
      const each = bundle.length === 1 ? speed.now(now) : undefined;
      const sent = [...distributeProgress(bundle, loaded)];
      work.record(new Map(sent.map(([id, bytes]) => [id, { sent: bytes, speed: each }])), more);
    };
  }

  function afterFailure(
    bundle: readonly Item[],
    ids: steps.Ids,
    error: unknown,
    group: Group | undefined,
  ): void {
    // Also applies the latest progress.
    work.publish();
    const [first] = bundle;
    const item = work.items.find(({ id }) => id === first?.id);
    const owner = group === undefined ? "none" : "batch";
    const failure = failureOf(error, item?.url === undefined ? owner : "upload");
    work.items = react(bundle, ids, failure, item);
    const batchUrl = group?.batches[first?.batch ?? 0];
    if (failure.kind === "gone" && item?.url === undefined && group && batchUrl !== undefined) {
      deps.onBatchGone(group.id, batchUrl);
    }
    pauses.pauseFor(failure);
  }

  function react(
    bundle: readonly Item[],
    ids: steps.Ids,
    failure: Failure,
    item: Item | undefined,
  ): steps.Queue {
    switch (failure.kind) {
      case "interrupted":
        return afterInterruption(bundle, failure.message, item);
      case "gone":
        return afterInterruption(bundle, failure.message, item, { url: undefined, sent: 0 });
      case "refused":
        return bundle.length > 1
          ? steps.putBack(work.items, ids, { sendAlone: true })
          : steps.fail(work.items, ids, failure.message);
      default:
        return steps.putBack(work.items, ids);
    }
  }

  /** The cause may be the network, the server, or a file that cannot be read. */
  function afterInterruption(
    bundle: readonly Item[],
    message: string,
    latest: Item | undefined,
    changes: Partial<Item> = {},
  ): steps.Queue {
    let next = work.items;
    for (const { id, interruptions, sent } of bundle) {
      const one = new Set([id]);
      const hasProgress = latest?.url !== undefined && latest.sent > sent;
      const failed = hasProgress ? 0 : interruptions;
      const notes = {
        mayBeStored: true,
        interruptions: failed + 1,
        sendAlone: bundle.length > 1 && failed > 0,
        ...changes,
      };
      next =
        failed >= MAX_INTERRUPTIONS
          ? steps.fail(next, one, message)
          : steps.putBack(next, one, notes);
    }
    return next;
  }

  return {
    run,
    isSending: () => requests.size > 0,
    abort(matches) {
      for (const [controller, bundle] of requests) if (bundle.some(matches)) controller.abort();
    },
  };
}
