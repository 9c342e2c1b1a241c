import { Fault } from "../../domain/faults/fault.ts";
import type { Sha256 } from "../../domain/records.ts";
import { createDigest } from "../../runtime/hash.ts";
import { parseDigestField } from "../../semantics/digest-fields.ts";

/** The fields that may announce the digest of a request's body, which is sent without encodings. */
const FIELDS = ["Content-Digest", "Repr-Digest"];

/**
 * Passes the body through and compares it with the digests in the request's headers. Fault "invalid",
 * at the end of the body: a digest differs. Throws it at once if a header is malformed.
 */
export function checkBodyDigest(
  body: AsyncIterable<Uint8Array>,
  headers: Headers,
): AsyncIterable<Uint8Array> {
  const announced = FIELDS.flatMap((field) => {
    const value = headers.get(field);
    const digest = value === null ? undefined : parseDigestField(field, value);
    return digest === undefined ? [] : [{ field, digest }];
  });
  return announced.length === 0 ? body : compareAtEnd(body, announced);
}

async function* compareAtEnd(
  body: AsyncIterable<Uint8Array>,
  announced: readonly { readonly field: string; readonly digest: Sha256 }[],
): AsyncGenerator<Uint8Array, void, void> {
  const hasher = createDigest("sha256");
  for await (const chunk of body) {
    hasher.update(chunk);
    yield chunk;
  }
  const actual = hasher.digest("hex");
  for (const { field, digest } of announced) {
    if (digest === actual) continue;
    throw new Fault(
      "invalid",
      `The SHA-256 of the body is ${actual}, but the header ${field} says ${digest}. Nothing was stored.`,
      { code: "digest_mismatch", details: { expected: digest, actual } },
    );
  }
}
