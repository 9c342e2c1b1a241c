import type { Settlement } from "../catalog/port/webhooks.ts";
import { callerWith } from "../domain/callers/caller.ts";
import { allows, isUnlimited, type Scope } from "../domain/callers/scope.ts";
import { Fault } from "../domain/faults/fault.ts";
import type { Millis } from "../domain/records.ts";
import type { DeliveryRecord, WebhookRecord } from "../domain/webhooks.ts";
import type { FeedStep } from "../feed/feed.ts";
import { createGather } from "../lib/gather.ts";
import { giveWay } from "../lib/time-slices.ts";
import { sleep } from "../runtime/sleep.ts";
import { uuidV7 } from "../runtime/uuid.ts";
import { type Attempt, deliver } from "./deliver.ts";
import { createDeliverySlots } from "./delivery-slots.ts";
import type { WebhooksDeps } from "./deps.ts";
import { secretsOf } from "./secrets-of.ts";
import { feedEventId, type WebhookEvent } from "./webhook-event.ts";

/**
 * Sends what is due, for all webhooks of the instance. One process of each server runs it; for each webhook, one of
 * them at a time has a lease. The cursor of a webhook is saved after its events were delivered, so that after any
 * crash they are sent again, and none is left out.
 */
export interface WebhookSender {
  start(): void;
  /** Lets deliveries that are on their way end, for a moment. */
  stop(): Promise<void>;
}

const TICK_MS = 500;
/** While there are no webhooks, so that an instance without work sleeps. */
const IDLE_TICK_MS = 2000;
/** Webhooks that are served at the same time: receivers that hang hold few of them. */
const MAX_RUNNING = 200;
/** Entries of the feed that are read at once. */
const BATCH = 100;
/** Deliveries between two commits, which are repeated if the process dies. */
const MAX_UNSAVED = 20;
const MAX_UNSAVED_MS = 300;
/** The lease must last until the end of a delivery, which may wait for a slot before. */
const RENEW_MS = 3000;
/** Then others have their turn. */
const MAX_TURN_MS = 10_000;
const STOP_MS = 2000;
const HOUR = 3_600_000;
/** Until a webhook is paused. */
const GIVE_UP_MS = 48 * HOUR;
const MINUTE = 60_000;
const PAUSES = [
  ...[5000, 30_000, 2 * MINUTE, 10 * MINUTE, 30 * MINUTE],
  ...[1, 2, 4, 8, 12, 20].map((hours) => hours * HOUR),
];

type Progress = Omit<Settlement, "id" | "owner" | "version" | "deliveries" | "keeps">;

export function createWebhookSender(deps: WebhooksDeps): WebhookSender {
  const { catalog, feed, owner, onError, pauses = PAUSES } = deps;
  const running = new Map<string, Promise<void>>();
  const stopping = new AbortController();
  const inSlot = createDeliverySlots();
  let timer: Timer | undefined;
  let isFailing = false;

  const settle = createGather<Settlement, boolean>({
    concurrency: 1,
    maxWaitMs: 1000,
    maxItems: MAX_UNSAVED,
    work: catalog.settleWebhooks,
  });

  function report(cause: unknown): void {
    if (!isFailing && timer !== undefined) onError("Webhooks could not be sent", cause);
    isFailing = true;
  }

  /** Whether there are webhooks that are active. */
  async function tick(): Promise<boolean> {
    const free = MAX_RUNNING - running.size;
    if (free <= 0) return true;
    // Without webhooks, the feed is not asked for its end.
    if (!(await catalog.hasActiveWebhooks())) return false;
    const { seq } = await feed.end();
    const due = (await catalog.dueWebhooks(seq, catalog.now())).filter(
      ({ id }) => !running.has(id),
    );
    if (due.length === 0 || timer === undefined) return true;
    const hasQueued = new Map(due.map((each) => [each.id, each.hasQueued]));
    const ids = [...hasQueued.keys()].slice(0, free);
    for (const webhook of await catalog.claimWebhooks(ids, owner)) {
      const run = runTurn(webhook, hasQueued.get(webhook.id) === true).catch(report);
      running.set(
        webhook.id,
        run.finally(() => running.delete(webhook.id)),
      );
    }
    isFailing = false;
    return true;
  }

  function tickLater(hasWebhooks: boolean): void {
    timer = setTimeout(
      async () => {
        const found = await tick().catch(report);
        if (timer !== undefined) tickLater(found ?? true);
      },
      hasWebhooks ? TICK_MS : IDLE_TICK_MS,
    );
    timer.unref();
  }

  async function runTurn(webhook: WebhookRecord, hasQueued: boolean): Promise<void> {
    // The lease counts from the claim.
    let savedAt = performance.now();
    // Many turns begin together.
    await giveWay();
    const begin = performance.now();
    let unsaved: DeliveryRecord[] = [];
    let progress: Progress = progressOf(webhook);

    /** false: the webhook is lost. */
    async function save(keeps: boolean): Promise<boolean> {
      const deliveries = unsaved;
      unsaved = [];
      const { id, version } = webhook;
      const isKept = await settle({ ...progress, id, version, owner, deliveries, keeps });
      savedAt = performance.now();
      return isKept;
    }

    const scope = await deps.scopeOf(webhook.maker);
    const secrets = secretsOf(webhook, deps.sealer, catalog.now());
    if (scope === undefined || !allows(scope, "admin") || secrets.length === 0) {
      const reason =
        secrets.length === 0
          ? "Its secret cannot be read with this AUTH_SECRET: rotate it."
          : "The API key or account that made it no longer exists, or may not have it any more.";
      progress = { ...progress, state: "off", reason };
      await save(false);
      return;
    }

    /** false: the turn is over. */
    async function attempt(event: WebhookEvent, queued?: DeliveryRecord): Promise<boolean> {
      if (performance.now() - savedAt > RENEW_MS && !(await save(true))) return false;
      const { outgoing } = deps;
      const { signal } = stopping;
      const sent = await inSlot(() =>
        deliver(event, { outgoing, url: webhook.url, secrets, signal }),
      );
      // Not the receiver's failure.
      if (stopping.signal.aborted && !sent.isDelivered) return false;
      const tries = progress.tries + 1;
      const now = catalog.now();
      unsaved.push(toDelivery(event, sent, { webhookId: webhook.id, tries, now, queued }));
      if (!sent.isDelivered) {
        progress = { ...progress, ...afterFailure(progress, sent, now, pauses) };
        return false;
      }
      progress = { ...progress, tries: 0, failingSince: null, nextAt: null };
      return true;
    }

    /** false: the turn is over, or the webhook is lost. */
    async function saveIfDue(): Promise<boolean> {
      const isDue = unsaved.length >= MAX_UNSAVED || performance.now() - savedAt > MAX_UNSAVED_MS;
      return isDue ? save(true) : true;
    }

    const isOver = (): boolean =>
      stopping.signal.aborted || timer === undefined || performance.now() - begin > MAX_TURN_MS;

    try {
      if (hasQueued && !(await sendQueued(webhook, attempt))) return;
      while (!isOver()) {
        const steps = await readSteps(progress);
        if (steps === "gone") {
          if (!(await attempt(gapEvent(webhook, progress, catalog.now())))) return;
          const cursor = await catalog.feedStart();
          const ids = progress.places.map(({ id }) => id);
          progress = { ...progress, cursor, places: await feed.placesAt(ids, cursor) };
          if (!(await save(true))) return;
          continue;
        }
        if (steps.length === 0) return;
        for (const step of steps) {
          const event = eventOf(step, webhook, scope);
          if (event !== undefined && !(await attempt(event))) return;
          progress = { ...progress, cursor: step.position, places: step.folders };
          if (!(await saveIfDue())) {
            unsaved = [];
            return;
          }
          if (isOver()) return;
        }
      }
    } finally {
      await save(false);
    }
  }

  async function readSteps({ cursor, places }: Progress): Promise<FeedStep[] | "gone"> {
    await giveWay();
    try {
      return await feed.steps(cursor, places, BATCH);
    } catch (cause) {
      if (cause instanceof Fault && cause.kind === "gone") return "gone";
      throw cause;
    }
  }

  /** Events that are not in the feed. false: the turn is over. */
  async function sendQueued(
    webhook: WebhookRecord,
    attempt: (event: WebhookEvent, queued: DeliveryRecord) => Promise<boolean>,
  ): Promise<boolean> {
    for (const queued of await catalog.queuedDeliveries(webhook.id, BATCH)) {
      const { eventId: id, kind: type, at, data } = queued;
      const event = { id, type, at, key: null, data: JSON.parse(data ?? "{}") };
      if (!(await attempt(event, queued))) return false;
    }
    return true;
  }

  function eventOf(
    { view, folders: _, ...step }: FeedStep,
    { id, kinds, maker, places }: WebhookRecord,
    scope: Scope,
  ): WebhookEvent | undefined {
    if (view === undefined || (kinds.length > 0 && !kinds.includes(view.kind))) return undefined;
    const { within } = callerWith(maker, scope);
    const [first, ...others] = places.map((place) => place.id);
    const limits = first === undefined ? within : ([first, ...others] as const);
    const reader = { within: limits, isLimited: !isUnlimited(scope), makerId: maker.id };
    const data = deps.describeChange({ ...step, view }, reader);
    return {
      id: feedEventId(id, step.position),
      type: view.kind,
      at: step.at,
      key: view.key,
      data,
    };
  }

  return {
    start: () => void (timer ?? tickLater(true)),
    async stop() {
      clearTimeout(timer);
      timer = undefined;
      const all = Promise.all(running.values());
      await Promise.race([all, sleep(STOP_MS)]);
      stopping.abort();
      await Promise.race([all, sleep(STOP_MS)]);
    },
  };
}

const progressOf = ({
  cursor,
  places,
  state,
  reason,
  tries,
  failingSince,
  nextAt,
}: WebhookRecord) => ({
  cursor,
  places,
  state,
  reason,
  tries,
  failingSince,
  nextAt,
});

function afterFailure(
  { tries, failingSince }: Progress,
  { isGone, error, retryAfterMs }: Attempt,
  now: Millis,
  pauses: readonly number[],
): Partial<Progress> {
  const since = failingSince ?? now;
  const failed = { tries: tries + 1, failingSince: since };
  if (isGone) {
    const reason = "The receiver answered 410: it does not want events any more.";
    return { ...failed, state: "off", reason, nextAt: null };
  }
  const pause = pauses[Math.min(tries, pauses.length - 1)] ?? HOUR;
  // A receiver that asks for more time gets it, within reason.
  const wait = Math.max(pause, Math.min(retryAfterMs ?? 0, HOUR));
  if (tries >= pauses.length || now + wait - since > GIVE_UP_MS) {
    const reason = `Deliveries have failed for 48 hours. ${error ?? ""}`.trim();
    return { ...failed, state: "paused", reason, nextAt: null };
  }
  return { ...failed, nextAt: now + wait };
}

interface DeliveryContext {
  readonly webhookId: string;
  readonly tries: number;
  readonly now: Millis;
  /** The event as it waited; undefined: it is in the feed. */
  readonly queued?: DeliveryRecord | undefined;
}

/** An attempt as a record. One that is saved already keeps its id. */
export function toDelivery(
  { id: eventId, type: kind, key }: WebhookEvent,
  { isDelivered, status, ms, error, response }: Attempt,
  { webhookId, tries, now, queued }: DeliveryContext,
): DeliveryRecord {
  return {
    id: queued?.id ?? uuidV7(now),
    webhookId,
    eventId,
    kind,
    key,
    state: isDelivered ? "delivered" : "failed",
    tries,
    status,
    ms,
    error,
    response,
    data: queued?.data ?? null,
    at: now,
  };
}

/** The feed no longer has all changes after the cursor. */
function gapEvent({ id }: WebhookRecord, { cursor }: Progress, at: Millis): WebhookEvent {
  return {
    id: feedEventId(id, cursor, "gap"),
    type: "feed.gap",
    at,
    key: null,
    data: {
      message:
        "Changes are missing between the last event and the next one. List the files and folders again.",
    },
  };
}
