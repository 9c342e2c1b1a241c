import { z } from "zod";
import { moment } from "../moment.ts";
import { webhookKinds } from "../objects/webhooks.ts";
import { required, text } from "../text.ts";
import { oldSecretExpiresIn } from "./common.ts";

const NAME = "a name of 1 to 100 characters";

const webhookName = z
  .string({ error: required(NAME) })
  .trim()
  .min(1, { error: `must be ${NAME}` })
  .max(100, { error: `must be ${NAME}` })
  .meta({ description: "A label that identifies the webhook in lists.", example: "gallery" });

const url = text("the URL of the receiver").meta({
  description:
    "Where events are sent to, with http:// or https://. Addresses inside your network must be in `OUTGOING_ALLOW`.",
  example: "https://app.example.com/api/holdall",
});

const kindList = webhookKinds.map((kind) => `\`${kind}\``).join(", ");

const kinds = z
  .array(z.enum(webhookKinds, { error: `must be one of ${kindList}` }), {
    error: "must be a list of types of events",
  })
  .meta({
    description:
      "The types of events to send; empty: all. `backup.failed` and `scrub.findings` concern the instance.",
  });

const active = z.boolean({ error: "must be true or false" }).meta({
  description: "False pauses it; events wait, for up to 7 days.",
});

const place = {
  folderId: text("the id of a folder").optional().meta({
    description: "Only changes in this folder and everything in it, also when it is moved.",
  }),
  folder: text("the key of a folder").optional().meta({
    description: "The key of the folder, instead of its id. `/` is the root.",
    example: "photos",
  }),
};

export const createWebhookBody = z.object({
  name: webhookName,
  url,
  kinds: kinds.optional(),
  ...place,
  active: active.optional(),
});

const webhookId = text("the id of a webhook").meta({ description: "The webhook's id." });

export const changeWebhookBody = z.object({
  id: webhookId,
  name: webhookName.optional(),
  url: url.optional(),
  kinds: kinds.optional(),
  ...place,
  active: active.optional(),
});

export const webhookIdBody = z.object({ id: webhookId });

export const replayWebhookBody = z.object({
  id: webhookId,
  since: moment.meta({
    description: "Changes from this time on are sent again: UTC, or ISO 8601.",
    override: { type: "string", format: "date-time" },
  }),
});

export const rotateWebhookBody = z.object({
  id: webhookId,
  oldSecretExpiresIn: oldSecretExpiresIn(
    "Seconds for which deliveries are signed with the old secret, too, at most 604800 (7 days). Default: 86400, a day.",
  ),
});
