import type { DeliveryObject, WebhookObject } from "../../../../contract/api.ts";
import type { webhookOperations } from "../../../../contract/operations/webhooks.ts";
import type { ApiKeys } from "../../../access/api-keys.ts";
import { type Identity, makerIdsOf } from "../../../access/authenticate.ts";
import { type Ref, selectorOf } from "../../../domain/callers/ref.ts";
import { ROOT_KEY } from "../../../domain/names/name.ts";
import { timestamp } from "../../../domain/timestamp.ts";
import type { DeliveryRecord } from "../../../domain/webhooks.ts";
import type { Lookups } from "../../../files/lookups.ts";
import type { WebhookManager, Webhooks, WebhookView } from "../../../webhooks/webhooks.ts";
import { invalidCursor, readCursor, writeCursor } from "./cursor.ts";
import { givenTarget } from "./given-refs.ts";
import type { Authorize, Handlers } from "./handler.ts";

export interface WebhookHandlerDeps {
  readonly webhooks: Webhooks;
  readonly keys: Pick<ApiKeys, "list">;
  readonly look: Pick<Lookups, "folder">;
}

const DEFAULT_PAGE = 50;
/** A day. */
const OLD_SECRET_SECONDS = 86_400;

interface ManagerInput {
  readonly identity: Identity | undefined;
  readonly authorize: Authorize<"admin">;
}

export function webhookHandlers({
  webhooks,
  keys,
  look,
}: WebhookHandlerDeps): Handlers<keyof typeof webhookOperations> {
  async function managerOf(
    { identity, authorize }: ManagerInput,
    find?: () => Promise<unknown>,
  ): Promise<WebhookManager> {
    return { ...(await authorize(find)), makerIds: await makerIdsOf(identity, keys) };
  }

  return {
    async listWebhooks(input) {
      return { webhooks: (await webhooks.list(await managerOf(input))).map(webhookObject) };
    },

    async createWebhook(input) {
      const { folder, folderId, ...wanted } = input.body;
      const place = placeOf({ folder, folderId });
      const manager = await managerOf(
        input,
        place == null ? undefined : () => look.folder(input.caller, selectorOf(place)),
      );
      const made = await webhooks.create(manager, { ...wanted, folder: place });
      return { webhook: webhookObject(made.webhook), secret: made.secret };
    },

    async changeWebhook(input) {
      const { id, folder, folderId, ...wanted } = input.body;
      const change = { ...wanted, folder: placeOf({ folder, folderId }) };
      return { webhook: webhookObject(await webhooks.change(await managerOf(input), id, change)) };
    },

    async deleteWebhook(input) {
      const { id, name } = await webhooks.remove(await managerOf(input), input.body.id);
      input.addAuditDetails({ subject: { kind: "webhook", id, name } });
      return { deleted: [id] };
    },

    async testWebhook(input) {
      const delivery = await webhooks.test(await managerOf(input), input.body.id);
      return { delivery: deliveryObject(delivery, input.identity) };
    },

    async replayWebhook(input) {
      const { id, since } = input.body;
      return { webhook: webhookObject(await webhooks.replay(await managerOf(input), id, since)) };
    },

    async rotateWebhook(input) {
      const { id, oldSecretExpiresIn = OLD_SECRET_SECONDS } = input.body;
      const rotated = await webhooks.rotate(await managerOf(input), id, oldSecretExpiresIn);
      return { webhook: webhookObject(rotated.webhook), secret: rotated.secret };
    },

    async listDeliveries(input) {
      const { id, limit = DEFAULT_PAGE, cursor = "" } = input.query;
      const list = `deliveries ${id}`;
      const before = cursor === "" ? undefined : readBefore(list, cursor);
      const manager = await managerOf(input);
      // One more shows whether there is another page.
      const found = await webhooks.deliveries(manager, id, { before, limit: limit + 1 });
      const page = found.slice(0, limit);
      const last = page.at(-1);
      return {
        deliveries: page.map((each) => deliveryObject(each, input.identity)),
        nextCursor:
          found.length > page.length && last !== undefined ? writeCursor(list, [last.id]) : null,
      };
    },
  };
}

/** undefined: none is given; null: the root, which limits nothing. */
function placeOf({
  folder,
  folderId,
}: {
  readonly folder?: string | undefined;
  readonly folderId?: string | undefined;
}): Ref | null | undefined {
  const ref = givenTarget({ id: folderId, key: folder }, ["folderId", "folder"]);
  return typeof ref === "object" && ref.key === ROOT_KEY ? null : ref;
}

function readBefore(list: string, cursor: string): string {
  const [id, ...more] = readCursor(list, cursor);
  if (typeof id !== "string" || more.length > 0) throw invalidCursor();
  return id;
}

const optionalTime = (moment: number | null): string | null =>
  moment === null ? null : timestamp(moment);

const webhookObject = (webhook: WebhookView): WebhookObject => ({
  id: webhook.id,
  name: webhook.name,
  url: webhook.url,
  kinds: [...webhook.kinds],
  folder: webhook.folderId === null ? null : { id: webhook.folderId, key: webhook.folderKey },
  state: webhook.state,
  reason: webhook.reason,
  createdAt: timestamp(webhook.createdAt),
  failedAttempts: webhook.tries,
  nextAttemptAt: optionalTime(webhook.nextAt),
  oldSecretExpiresAt: optionalTime(webhook.oldSecretEndsAt),
});

/** What a receiver says may come from inside the network, so only people see it. */
const deliveryObject = (
  delivery: DeliveryRecord,
  identity: Identity | undefined,
): DeliveryObject => ({
  id: delivery.id,
  eventId: delivery.eventId,
  kind: delivery.kind,
  key: delivery.key,
  state: delivery.state,
  attempts: delivery.tries,
  status: delivery.status,
  milliseconds: delivery.ms,
  error: delivery.error,
  response: identity?.kind === "key" ? null : delivery.response,
  at: timestamp(delivery.at),
});
