import type { WebhookChange } from "../catalog/port/webhooks.ts";
import { type Authorized, noSuchFolder } from "../domain/callers/authorize.ts";
import { type Caller, limitsOf } from "../domain/callers/caller.ts";
import type { Ref } from "../domain/callers/ref.ts";
import { isUnlimited } from "../domain/callers/scope.ts";
import { Fault } from "../domain/faults/fault.ts";
import type { Key, Millis } from "../domain/records.ts";
import type { DeliveryRecord, WebhookRecord } from "../domain/webhooks.ts";
import { OutgoingFailure } from "../outgoing/outgoing-failure.ts";
import { uuidV7 } from "../runtime/uuid.ts";
import { newWebhookSecret } from "../semantics/webhook-signature.ts";
import { deliver } from "./deliver.ts";
import type { WebhooksDeps } from "./deps.ts";
import { secretsOf } from "./secrets-of.ts";
import { createWebhookSender, toDelivery, type WebhookSender } from "./sender.ts";

/** Who manages webhooks. */
export type WebhookManager = Authorized<"admin"> & {
  /** The ids of the keys whose webhooks it may manage; undefined: it may manage all. */
  readonly makerIds: readonly string[] | undefined;
};

/** A webhook with the current key of its folder. null: the folder is not in the tree, or there is none. */
export interface WebhookView extends WebhookRecord {
  readonly folderKey: Key | null;
}

export interface WebhookOptions {
  readonly name?: string | undefined;
  readonly url?: string | undefined;
  readonly kinds?: readonly string[] | undefined;
  /** null: everywhere that the maker sees. */
  readonly folder?: Ref | null | undefined;
  readonly active?: boolean | undefined;
}

/** Webhooks of a caller. One that it may not manage looks missing: fault "not_found". */
export interface Webhooks {
  list(manager: WebhookManager): Promise<WebhookView[]>;
  /** From the current end of the feed. Faults: "invalid": the URL; "not_found": the folder; "forbidden"; "conflict". */
  create(
    manager: WebhookManager,
    wanted: WebhookOptions & { readonly name: string; readonly url: string },
  ): Promise<{ readonly webhook: WebhookView; readonly secret: string }>;
  /** What is left out stays. Faults as for `create`. */
  change(manager: WebhookManager, id: string, wanted: WebhookOptions): Promise<WebhookView>;
  /** Returns what it was. */
  remove(manager: WebhookManager, id: string): Promise<WebhookRecord>;
  /** Sends an event of type `webhook.test` now, once. */
  test(manager: WebhookManager, id: string): Promise<DeliveryRecord>;
  /** Sends the changes since a moment again, as far as the feed has them. Leaves out none that still waits. */
  replay(manager: WebhookManager, id: string, since: Millis): Promise<WebhookView>;
  /** A new secret; the old one signs, too, until it ends. */
  rotate(
    manager: WebhookManager,
    id: string,
    oldSecretSeconds: number,
  ): Promise<{ readonly webhook: WebhookView; readonly secret: string }>;
  /** Newest first. */
  deliveries(
    manager: WebhookManager,
    id: string,
    page: { readonly before?: string | undefined; readonly limit: number },
  ): Promise<DeliveryRecord[]>;
  /** Tells the webhooks of everything that want this type, once they are due. */
  announce(kind: "backup.failed" | "scrub.findings", data: object): Promise<void>;
  /** Removes old deliveries. */
  prune(now: Millis): Promise<void>;
  readonly sender: WebhookSender;
}

type Change = Omit<WebhookChange, "id" | "expected">;

/** Attempts to change a webhook that others change or send from meanwhile. */
const MAX_ATTEMPTS = 20;
/** Each one reads the feed. */
const MAX_WEBHOOKS = 1000;
const KEPT_DELIVERIES = 500;
const KEPT_MS = 7 * 24 * 3_600_000;
/** Types of events about the whole instance. */
const OPERATOR_KINDS: readonly string[] = ["backup.failed", "scrub.findings"];

export function createWebhooks(deps: WebhooksDeps): Webhooks {
  const { catalog, feed, outgoing, sealer } = deps;

  async function find({ makerIds }: WebhookManager, id: string): Promise<WebhookRecord> {
    const webhook = await catalog.webhookById(id);
    const isManaged =
      webhook !== undefined &&
      (makerIds === undefined || makerIds.includes(webhook.maker.id ?? ""));
    if (!isManaged) throw noSuchWebhook();
    return webhook;
  }

  async function view(manager: Caller, webhook: WebhookRecord): Promise<WebhookView> {
    const { folderId } = webhook;
    const folder = folderId === null ? undefined : await catalog.folderById(manager, folderId);
    return { ...webhook, folderKey: folder?.key ?? null };
  }

  /**
   * Makes a change that is computed from the webhook. It is computed again if another request has changed the webhook
   * meanwhile, or a sender has moved the cursor that its places belong to. Fault "unavailable": that happened each time.
   */
  async function change(
    manager: WebhookManager,
    id: string,
    changeOf: (webhook: WebhookRecord) => Change | Promise<Change>,
  ): Promise<WebhookView> {
    for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt += 1) {
      const webhook = await find(manager, id);
      const { version, cursor } = webhook;
      const wanted = await changeOf(webhook);
      const isAtCursor = wanted.places !== undefined && wanted.cursor === undefined;
      const expected = { version, ...(isAtCursor && { cursor }) };
      const changed = await catalog.changeWebhook({ ...wanted, id, expected });
      if (changed === undefined) throw noSuchWebhook();
      if (changed !== "outdated") return view(manager, changed);
    }
    throw new Fault("unavailable", "Too many changes of this webhook at once. Try again later.", {
      retryAfter: 1,
    });
  }

  async function folderIdOf(manager: Caller, folder: Ref): Promise<string> {
    const found = await (typeof folder === "string"
      ? catalog.folderById(manager, folder)
      : catalog.folderByKey(manager, folder.key));
    if (found === undefined) throw noSuchFolder();
    return found.id;
  }

  function checked(manager: Caller, { url, kinds }: WebhookOptions): void {
    if (url !== undefined) rejectUrl(url);
    if (isUnlimited(manager.scope)) return;
    const denied = kinds?.find((kind) => OPERATOR_KINDS.includes(kind));
    if (denied !== undefined) {
      throw new Fault(
        "forbidden",
        `\`${denied}\` concerns the whole instance: it needs an API key for all folders.`,
      );
    }
  }

  function rejectUrl(url: string): void {
    try {
      outgoing.checkUrl(url);
    } catch (cause) {
      if (cause instanceof OutgoingFailure) throw new Fault("invalid", cause.message);
      throw cause;
    }
  }

  return {
    sender: createWebhookSender(deps),

    async list(manager) {
      const { makerIds } = manager;
      const all = (await catalog.listWebhooks()).filter(
        ({ maker }) => makerIds === undefined || makerIds.includes(maker.id ?? ""),
      );
      return Promise.all(all.map((each) => view(manager, each)));
    },

    async create(manager, wanted) {
      const { name, url, kinds = [], folder, active = true } = wanted;
      const folderId = folder == null ? null : await folderIdOf(manager, folder);
      checked(manager, wanted);
      const createdAt = catalog.now();
      const id = uuidV7(createdAt);
      const secret = newWebhookSecret();
      const cursor = await feed.end();
      const ids = [...limitsOf(manager.within), ...(folderId === null ? [] : [folderId])];
      const webhook: WebhookRecord = {
        ...{ id, name, url, kinds: [...new Set(kinds)], folderId, cursor, createdAt },
        secret: sealer.seal(secret, id),
        oldSecret: null,
        oldSecretEndsAt: null,
        maker: manager.actor,
        places: await feed.placesAt(ids, cursor),
        state: active ? "active" : "paused",
        reason: null,
        version: 0,
        tries: 0,
        failingSince: null,
        nextAt: null,
      };
      await catalog.addWebhook(webhook, MAX_WEBHOOKS);
      return { webhook: await view(manager, webhook), secret };
    },

    change: (manager, id, wanted) =>
      change(manager, id, async (webhook) => {
        checked(manager, wanted);
        const { name, url, kinds, folder, active } = wanted;
        return {
          ...{ name, url, kinds: kinds && [...new Set(kinds)] },
          triesAgain: url !== undefined || active === true,
          ...(folder === undefined ? {} : await limitTo(manager, webhook, folder)),
          ...(active === undefined
            ? {}
            : { state: active ? ("active" as const) : ("paused" as const), reason: null }),
        };
      }),

    async remove(manager, id) {
      const webhook = await find(manager, id);
      await catalog.removeWebhook(id);
      return webhook;
    },

    async test(manager, id) {
      const webhook = await find(manager, id);
      const now = catalog.now();
      const secrets = secretsOf(webhook, sealer, now);
      if (secrets.length === 0) {
        throw new Fault("conflict", "The secret cannot be read with this AUTH_SECRET: rotate it.");
      }
      const eventId = uuidV7(now);
      const data = { webhook: id, name: webhook.name };
      const event = { id: eventId, type: "webhook.test", at: now, key: null, data };
      const sent = await deliver(event, { outgoing, url: webhook.url, secrets });
      const delivery = toDelivery(event, sent, { webhookId: id, tries: 1, now });
      await catalog.addDelivery(delivery);
      return delivery;
    },

    replay: (manager, id, since) =>
      change(manager, id, async (webhook) => {
        const cursor = await catalog.feedPositionAt(since);
        // Events that still wait are sent in any case.
        if (webhook.cursor.seq <= cursor.seq) return { triesAgain: true };
        const ids = webhook.places.map((place) => place.id);
        return { cursor, places: await feed.placesAt(ids, cursor), triesAgain: true };
      }),

    async rotate(manager, id, oldSecretSeconds) {
      const secret = newWebhookSecret();
      const webhook = await change(manager, id, ({ secret: oldSecret }) => ({
        secret: sealer.seal(secret, id),
        oldSecret: oldSecretSeconds > 0 ? oldSecret : null,
        oldSecretEndsAt: oldSecretSeconds > 0 ? catalog.now() + oldSecretSeconds * 1000 : null,
      }));
      return { webhook, secret };
    },

    async deliveries(manager, id, page) {
      await find(manager, id);
      return catalog.listDeliveries(id, page);
    },

    announce: (kind, data) => catalog.queueWebhookEvent({ kind, data: JSON.stringify(data) }),
    prune: (now) => catalog.pruneDeliveries(now - KEPT_MS, KEPT_DELIVERIES),
  };

  /** The limits of its maker stay. */
  async function limitTo(manager: Caller, before: WebhookRecord, folder: Ref | null) {
    const folderId = folder === null ? null : await folderIdOf(manager, folder);
    const limits = before.places
      .map(({ id }) => id)
      .slice(0, before.places.length - (before.folderId === null ? 0 : 1));
    const ids = folderId === null ? limits : [...limits, folderId];
    // A cursor that the feed has lost leads to `feed.gap`, after which the places are read again.
    const places = await feed
      .placesAt(ids, before.cursor)
      .catch(() => ids.map((each) => ({ id: each })));
    return { folderId, places };
  }
}

const noSuchWebhook = (): Fault => new Fault("not_found", "Webhook not found.");
