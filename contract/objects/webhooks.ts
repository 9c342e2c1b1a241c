import { z } from "zod";
import { EXAMPLE_FOLDER_ID, EXAMPLE_ID } from "../example.ts";
import { changeObject } from "./changes.ts";
import { nullableText, timestamp } from "./common.ts";

/** The types of events that a webhook can ask for. */
export const webhookKinds = [
  ...changeObject.shape.kind.options,
  "backup.failed",
  "scrub.findings",
] as const;

export const webhookObject = z
  .object({
    id: z.string().meta({ example: EXAMPLE_ID }),
    name: z.string().meta({ example: "gallery" }),
    url: z.string().meta({ example: "https://app.example.com/api/holdall" }),
    kinds: z.array(z.string()).meta({
      description: "The types of its events; empty: all.",
      example: ["file.created", "file.deleted"],
    }),
    folder: z
      .object({
        id: z.string().meta({ example: EXAMPLE_FOLDER_ID }),
        key: nullableText("The folder's current key; `null` if it was deleted.", "photos"),
      })
      .nullable()
      .meta({ description: "The folder whose changes it sends; `null`: all that its maker sees." }),
    state: z.enum(["active", "paused", "off"]).meta({
      description:
        "`paused`: somebody paused it, or deliveries have failed for 48 hours. `off`: the receiver answered 410, or its maker is gone.",
      typeName: "WebhookState",
    }),
    reason: nullableText("Why it is paused or off, unless somebody paused it.", null),
    createdAt: timestamp,
    failedAttempts: z.int().min(0).meta({
      description: "Failed attempts to deliver the next event.",
      example: 0,
    }),
    nextAttemptAt: timestamp.nullable().meta({
      description: "When the next attempt is made, after a failed one.",
      example: null,
    }),
    oldSecretExpiresAt: timestamp.nullable().meta({
      description: "Until when deliveries are signed with the secret before the rotation, too.",
      example: null,
    }),
  })
  .meta({ id: "Webhook", typeName: "WebhookObject" });

export const deliveryObject = z
  .object({
    id: z.string().meta({ example: EXAMPLE_ID }),
    eventId: z.string().meta({
      description: "The `webhook-id` of all attempts to deliver the event.",
      example: "msg_hV3kq0Jc1yXw8mTn5bZr2sQe7dL",
    }),
    kind: z.string().meta({ description: "The type of the event.", example: "file.created" }),
    key: nullableText("The key of the file or folder.", "photos/2026/quay.jpg"),
    state: z.enum(["queued", "failed", "delivered"]).meta({ example: "delivered" }),
    attempts: z.int().min(0).meta({ example: 1 }),
    status: z.int().nullable().meta({
      description: "Status of the last response; `null` if there was none.",
      example: 204,
    }),
    milliseconds: z
      .int()
      .nullable()
      .meta({ description: "How long the last attempt took.", example: 41 }),
    error: nullableText("Why the last attempt failed.", null),
    response: nullableText(
      "The first 1 KB of the last response's body. Only for sessions; API keys get `null`.",
      null,
    ),
    at: timestamp.meta({ description: "Time of the last attempt." }),
  })
  .meta({ id: "WebhookDelivery", typeName: "DeliveryObject" });
