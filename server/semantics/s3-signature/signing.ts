import { createHash, createHmac, timingSafeEqual } from "node:crypto";
import { headerText } from "../s3/header-text.ts";
import type { RequestHead } from "./request-head.ts";
import { canonicalPath, canonicalQuery } from "./uri-encode.ts";

/* AWS Signature Version 4. */

export const ALGORITHM = "AWS4-HMAC-SHA256";

/** What a signing key is for, and when it was used. */
export interface CredentialScope {
  /** `YYYYMMDD` */
  readonly date: string;
  readonly region: string;
  /** `YYYYMMDDTHHMMSSZ` */
  readonly timestamp: string;
}

export const scopeText = ({ date, region }: CredentialScope): string =>
  `${date}/${region}/s3/aws4_request`;

export function signingKey(secret: string, { date, region }: CredentialScope): Buffer {
  const dateKey = hmac(`AWS4${secret}`, date);
  return hmac(hmac(hmac(dateKey, region), "s3"), "aws4_request");
}

export interface CanonicalParts {
  readonly head: RequestHead;
  readonly host: string;
  /** In lower case, in the order of the request. */
  readonly signedHeaders: readonly string[];
  readonly payload: string;
}

/** The canonical request. A signed header that is absent counts as empty. */
export function canonicalRequest({ head, host, signedHeaders, payload }: CanonicalParts): string {
  const headers = signedHeaders.map((name) => {
    const value = name === "host" ? host : headerText(head.headers.get(name) ?? "");
    return `${name}:${value.trim().replace(/\s+/g, " ")}\n`;
  });
  return [
    head.method,
    canonicalPath(head.path),
    canonicalQuery(head.query, "X-Amz-Signature"),
    headers.join(""),
    signedHeaders.join(";"),
    payload,
  ].join("\n");
}

export const stringToSign = (scope: CredentialScope, request: string): string =>
  [ALGORITHM, scope.timestamp, scopeText(scope), sha256Hex(request)].join("\n");

/** The signature of a text in lower-case hex. */
export const signText = (key: Buffer, text: string): string => hmac(key, text).toString("hex");

/** The signature of a text with Version 2, in base64. */
export const signTextV2 = (secret: string, text: string): string =>
  createHmac("sha1", secret).update(text).digest("base64");

/** Compares in constant time. */
export function isSignature(expected: string, given: string): boolean {
  const left = Buffer.from(expected);
  const right = Buffer.from(given);
  return left.length === right.length && timingSafeEqual(left, right);
}

export const sha256Hex = (text: string | Uint8Array): string =>
  createHash("sha256").update(text).digest("hex");

const hmac = (key: string | Buffer, text: string): Buffer =>
  createHmac("sha256", key).update(text).digest();
