import { createHmac } from "node:crypto";
import type { Draft, Fields, Signing } from "./sign-request.ts";

/* Signature Version 2, independent of the server's. */

/** The parameters that boto signs, as far as the tests have them. */
const SIGNED =
  /^(?:acl|delete|uploads|uploadId|partNumber|versionId|tagging|cors|response-.*)(?:=|$)/;

const hmac = (secret: string, text: string): string =>
  createHmac("sha1", secret).update(text).digest("base64");

function textOf({ method, path, query, headers }: Draft, date: string, resource = path): string {
  const amz = Object.keys(headers)
    .filter((name) => name.startsWith("x-amz-"))
    .sort()
    .map((name) => `${name}:${headers[name]}\n`);
  const parameters = query
    .split("&")
    .filter((each) => SIGNED.test(each))
    .map((each) => decodeURIComponent(each).replace(/=$/, ""))
    .sort();
  const signed = parameters.length === 0 ? "" : `?${parameters.join("&")}`;
  return [
    ...[method, headers["content-md5"] ?? "", headers["content-type"] ?? "", date],
    `${amz.join("")}${resource}${signed}`,
  ].join("\n");
}

/** `resource`: the path with the bucket, if the host names it. */
export function signHeaderV2(draft: Draft, signing: Signing, resource?: string): Draft {
  const date = (signing.date ?? new Date()).toUTCString();
  const signature = hmac(signing.secretAccessKey, textOf(draft, date, resource));
  const authorization = `AWS ${signing.accessKeyId}:${signature}`;
  return { ...draft, headers: { ...draft.headers, date, authorization } };
}

/** The headers `x-amz-…`, the type and the MD5 go into the query, as in boto. */
export function presignV2(
  draft: Draft,
  signing: Signing,
  expires = Math.floor(Date.now() / 1000) + 60,
): Draft {
  const signature = hmac(signing.secretAccessKey, textOf(draft, String(expires)));
  const moved = Object.entries(draft.headers).filter(([name]) => name !== "host");
  const parameters = [
    ...moved,
    ["AWSAccessKeyId", signing.accessKeyId],
    ["Expires", String(expires)],
    ["Signature", signature],
  ].map(([name = "", value = ""]) => `${name}=${encodeURIComponent(value)}`);
  const query = [...draft.query.split("&").filter(Boolean), ...parameters].join("&");
  return { ...draft, query, headers: { host: draft.headers.host ?? "" } };
}

/** The fields of a form with this policy. */
export function signFormV2(
  fields: Fields,
  conditions: readonly unknown[],
  signing: Signing,
  expiration = new Date(Date.now() + 60_000),
): Fields {
  const document = JSON.stringify({ expiration: expiration.toISOString(), conditions });
  const policy = Buffer.from(document).toString("base64");
  return [
    ...fields,
    ["AWSAccessKeyId", signing.accessKeyId],
    ["policy", policy],
    ["signature", hmac(signing.secretAccessKey, policy)],
  ];
}
