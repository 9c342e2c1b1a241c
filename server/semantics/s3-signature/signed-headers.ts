import { S3Fault } from "../../domain/faults/s3-fault.ts";
import type { RequestHead } from "./request-head.ts";
import { type CredentialScope, canonicalRequest, stringToSign } from "./signing.ts";

/** The names in `SignedHeaders`; undefined: it is malformed, or lacks `host`. */
export function parseSignedHeaders(text: string): string[] | undefined {
  const names = text.split(";");
  const isValid = names.every((name) => /^[a-z0-9!#$%&'*+.^_`|~-]+$/.test(name));
  return isValid && names.includes("host") ? names : undefined;
}

/**
 * S3Fault "AccessDenied": the request has `x-amz-` headers that are not signed, nor `covered`: part of
 * what is signed in another way. They change what it
 * does, so the key's holder must have signed them, not only the user of a presigned URL.
 */
export function requireSignedAmzHeaders(
  headers: Headers,
  signed: readonly string[],
  covered: readonly string[],
): void {
  const unsigned: string[] = [];
  for (const name of headers.keys()) {
    if (!name.startsWith("x-amz-") || signed.includes(name) || covered.includes(name)) continue;
    unsigned.push(name);
  }
  if (unsigned.length === 0) return;
  throw new S3Fault(
    "AccessDenied",
    `There were headers present in the request which were not signed: ${unsigned.join(", ")}.`,
    { fields: { HeadersNotSigned: unsigned.join(", ") } },
  );
}

/** The strings to sign of a request, one for each host that may have been signed. */
export function signedTexts(
  head: RequestHead,
  parts: {
    readonly scope: CredentialScope;
    readonly signedHeaders: readonly string[];
    readonly payload: string;
  },
): string[] {
  const hosts = new Set([head.headers.get("host") ?? "", head.publicHost ?? ""]);
  hosts.delete("");
  return [...hosts].map((host) =>
    stringToSign(parts.scope, canonicalRequest({ head, host, ...parts })),
  );
}
