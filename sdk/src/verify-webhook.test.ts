import { expect, test } from "bun:test";
import { Webhook } from "standardwebhooks";
import { newWebhookSecret, signMessage } from "../../server/semantics/webhook-signature.ts";
import { verifyWebhook } from "./verify-webhook.ts";

const secret = newWebhookSecret();
const body = JSON.stringify({ type: "file.created", timestamp: "x", data: { key: "é" } });
const now = () => Math.floor(Date.now() / 1000);

function signed({ timestamp = now(), secrets = [secret], id = "msg_1" } = {}) {
  return {
    "webhook-id": id,
    "webhook-timestamp": String(timestamp),
    "webhook-signature": signMessage({ id, timestamp, body }, secrets),
  };
}

test("returns the event of a delivery with a right signature", async () => {
  const headers = signed();
  const event = JSON.parse(body);
  expect(await verifyWebhook(body, headers, secret)).toEqual(event);
  expect(await verifyWebhook(new TextEncoder().encode(body), new Headers(headers), secret)).toEqual(
    event,
  );
  expect(await verifyWebhook(body, headers, secret.slice("whsec_".length))).toEqual(event);
  // While it is rotated.
  const two = signed({ secrets: [newWebhookSecret(), secret] });
  expect(await verifyWebhook(body, two, secret)).toEqual(event);
  const others = signed();
  const foreign = { ...others, "webhook-signature": `v1a,abc ${others["webhook-signature"]}` };
  expect(await verifyWebhook(body, foreign, secret)).toEqual(event);
  const timestamp = new Date();
  const theirs = new Webhook(secret).sign("msg_2", timestamp, body);
  const headers2 = {
    ...{ "webhook-id": "msg_2", "webhook-signature": theirs },
    "webhook-timestamp": String(Math.floor(timestamp.getTime() / 1000)),
  };
  expect(await verifyWebhook(body, headers2, secret)).toEqual(event);
});

test.each<[string, Record<string, string>, string?, string?]>([
  ["another body", signed(), secret, `${body} `],
  ["another secret", signed(), newWebhookSecret()],
  ["no secret", signed(), ""],
  ["another id", { ...signed(), "webhook-id": "msg_3" }],
  ["another time", { ...signed(), "webhook-timestamp": String(now() + 1) }],
  ["an old delivery", signed({ timestamp: now() - 400 })],
  ["a delivery of the future", signed({ timestamp: now() + 400 })],
  ["no time", { ...signed(), "webhook-timestamp": "now" }],
  ["no headers", {}],
  ["no signature", { ...signed(), "webhook-signature": "" }],
  [
    "another version",
    { ...signed(), "webhook-signature": signed()["webhook-signature"].replace("v1", "v2") },
  ],
  ["malformed base64", { ...signed(), "webhook-signature": "v1,%%%" }],
  ["an empty signature", { ...signed(), "webhook-signature": "v1," }],
])("refuses %s", async (_name, headers, key = secret, text = body) => {
  const error = await verifyWebhook(text, headers, key).catch((cause) => cause);
  expect(error).toBeInstanceOf(Error);
});
