import { z } from "zod";
import type { WebhookObject } from "../api.ts";
import { givenFields } from "../audit.ts";
import {
  changeWebhookBody,
  createWebhookBody,
  replayWebhookBody,
  rotateWebhookBody,
  webhookIdBody,
} from "../bodies/webhooks.ts";
import { defineOperation } from "../define-operation.ts";
import { EXAMPLE_ID } from "../example.ts";
import { deliveryObject, webhookObject } from "../objects/webhooks.ts";
import { deliveriesQuery } from "../queries.ts";
import { deletedIds, nextCursor } from "./common.ts";

const permission = { actions: ["admin"], places: ["webhooks"] } as const;
const UNKNOWN = "The webhook does not exist, or the API key may not manage it.";

const secret = z.string().meta({
  description: "Verifies the signatures of deliveries. It is shown only once.",
  example: "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw",
});

const subjectOf = ({ webhook: { id, name } }: { webhook: WebhookObject }) => ({
  subject: { kind: "webhook" as const, id, name },
});
const subjectById = ({ id }: { id: string }) => ({ subject: { kind: "webhook" as const, id } });

/** Changes of the feed, sent to URLs as in Standard Webhooks. */
export const webhookOperations = {
  listWebhooks: defineOperation({
    id: "listWebhooks",
    method: "GET",
    path: "/api/webhooks",
    tag: "Webhooks",
    summary: "List webhooks",
    description: "Oldest first, without their secrets.",
    access: "caller",
    permission,
    budget: "api",
    response: { data: z.object({ webhooks: z.array(webhookObject) }) },
    errors: {},
    audit: null,
    example: { sdk: `const list = await webhooks.list();` },
  }),
  createWebhook: defineOperation({
    id: "createWebhook",
    method: "POST",
    path: "/api/webhooks",
    tag: "Webhooks",
    summary: "Create a webhook",
    description:
      "Sends each change of files and folders from now on to the URL, in order, as in the change feed: `POST` with `{ type, timestamp, data }`, where `type` is the kind of the change and `data` the change. The webhook has the rights of the key or account that makes it, and ends with it.",
    access: "caller",
    permission: { actions: ["admin"], places: ["subject"] },
    budget: "api",
    body: { json: createWebhookBody },
    response: { data: z.object({ webhook: webhookObject, secret }) },
    errors: {
      400: "The name or the URL is missing or invalid, a type is unknown, or both `folder` and `folderId` are given.",
      403: "The API key lacks the action `admin`, or is limited to a folder and asks for events of the instance.",
      404: "The folder does not exist.",
      409: "There are 1000 webhooks already.",
    },
    audit: {
      before: ({ name }) => ({ subject: { kind: "webhook", id: null, name } }),
      after: subjectOf,
    },
    example: {
      body: { name: "gallery", url: "https://app.example.com/api/holdall", folder: "photos" },
      sdk: `const { webhook, secret } = await webhooks.create({
  name: "gallery",
  url: "https://app.example.com/api/holdall",
  folder: "photos",
});`,
    },
  }),
  changeWebhook: defineOperation({
    id: "changeWebhook",
    method: "PUT",
    path: "/api/webhooks",
    tag: "Webhooks",
    summary: "Change, pause or resume a webhook",
    description: "What is left out stays. `folder`: `/` removes the limit to a folder.",
    access: "caller",
    permission,
    budget: "api",
    body: { json: changeWebhookBody },
    response: { data: z.object({ webhook: webhookObject }) },
    errors: {
      400: "A field is invalid.",
      403: "The API key lacks the action `admin`, or is limited to a folder and asks for events of the instance.",
      404: UNKNOWN,
    },
    audit: {
      before: ({ id, name, active }) => ({
        ...subjectById({ id }),
        detail: givenFields({ name, active }),
      }),
      after: subjectOf,
    },
    example: {
      body: { id: EXAMPLE_ID, active: true },
      sdk: `await webhooks.change(webhook.id, { active: true });`,
    },
  }),
  deleteWebhook: defineOperation({
    id: "deleteWebhook",
    method: "DELETE",
    path: "/api/webhooks",
    tag: "Webhooks",
    summary: "Delete a webhook",
    access: "caller",
    permission,
    budget: "api",
    body: { json: webhookIdBody },
    response: { data: deletedIds },
    errors: { 404: UNKNOWN },
    audit: { before: subjectById },
    example: {
      body: { id: EXAMPLE_ID },
      sdk: `await webhooks.delete(webhook.id);`,
    },
  }),
  testWebhook: defineOperation({
    id: "testWebhook",
    method: "POST",
    path: "/api/webhooks/test",
    tag: "Webhooks",
    summary: "Send a test event",
    description:
      "Sends an event of type `webhook.test` now, once, and returns the result, whatever the receiver answers.",
    access: "caller",
    permission,
    budget: "api",
    body: { json: webhookIdBody },
    response: { data: z.object({ delivery: deliveryObject }) },
    errors: { 404: UNKNOWN, 409: "The secret cannot be read: rotate it." },
    audit: null,
    example: {
      body: { id: EXAMPLE_ID },
      sdk: `const { status } = await webhooks.test(webhook.id);`,
    },
  }),
  replayWebhook: defineOperation({
    id: "replayWebhook",
    method: "POST",
    path: "/api/webhooks/replay",
    tag: "Webhooks",
    summary: "Send events again",
    description:
      "Sends the changes since a moment again, with the same ids, as far as the change feed has them: 7 days.",
    access: "caller",
    permission,
    budget: "api",
    body: { json: replayWebhookBody },
    response: { data: z.object({ webhook: webhookObject }) },
    errors: { 400: "The moment is invalid.", 404: UNKNOWN },
    audit: { before: subjectById, after: subjectOf },
    example: {
      body: { id: EXAMPLE_ID, since: "2026-11-24T00:00:00Z" },
      sdk: `await webhooks.replay(webhook.id, {
  since: new Date(Date.now() - 3_600_000),
});`,
    },
  }),
  rotateWebhook: defineOperation({
    id: "rotateWebhook",
    method: "POST",
    path: "/api/webhooks/rotate",
    tag: "Webhooks",
    summary: "Rotate the secret of a webhook",
    description: "Until the old secret ends, deliveries have a signature for each of the two.",
    access: "caller",
    permission,
    budget: "api",
    body: { json: rotateWebhookBody },
    response: { data: z.object({ webhook: webhookObject, secret }) },
    errors: { 400: "`oldSecretExpiresIn` is out of range.", 404: UNKNOWN },
    audit: { before: subjectById, after: subjectOf },
    example: {
      body: { id: EXAMPLE_ID },
      sdk: `const { secret } = await webhooks.rotate(webhook.id);`,
    },
  }),
  listDeliveries: defineOperation({
    id: "listDeliveries",
    method: "GET",
    path: "/api/webhooks/deliveries",
    tag: "Webhooks",
    summary: "List deliveries of a webhook",
    description:
      "The last attempt for each event, newest first: up to 500 events of the last 7 days.",
    access: "caller",
    permission,
    budget: "api",
    query: deliveriesQuery,
    response: { data: z.object({ deliveries: z.array(deliveryObject), nextCursor }) },
    errors: { 400: "A parameter is invalid, or `id` is missing.", 404: UNKNOWN },
    audit: null,
    example: {
      query: { id: EXAMPLE_ID },
      sdk: `const { deliveries } = await webhooks.deliveries({
  id: webhook.id,
});`,
    },
  }),
};
