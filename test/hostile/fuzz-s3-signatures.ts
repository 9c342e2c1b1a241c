import { S3Fault } from "../../server/domain/faults/s3-fault.ts";
import { readCredentials } from "../../server/semantics/s3-signature/read-credentials.ts";
import type { RequestHead } from "../../server/semantics/s3-signature/request-head.ts";
import { createSigningSecret } from "../../server/semantics/s3-signature/s3-secret.ts";
import { verifySignature } from "../../server/semantics/s3-signature/verify-signature.ts";
import { type Draft, presign, type Signing, signHeader } from "../s3-api/sign-request.ts";
import { createSeededRandom, type SeededRandom } from "./seeded-random.ts";

const NOW = Date.UTC(2027, 0, 15, 12);
const SECRET = createSigningSecret("secret");
const signing: Signing = {
  accessKeyId: "a".repeat(32),
  secretAccessKey: "secret",
  date: new Date(NOW),
};
const draft: Draft = {
  method: "PUT",
  path: "/bucket/a%20b/key.txt",
  query: "partNumber=2&uploadId=x%2Fy",
  headers: { host: "files.example.com", "content-type": "text/plain", "x-amz-meta-a": "one two" },
  body: Buffer.from("content"),
};
const VALID: readonly [Draft, Draft] = [signHeader(draft, signing), presign(draft, signing)];

const headOf = ({ method, path, query, headers }: Draft): RequestHead => ({
  method,
  path,
  query,
  headers: new Headers(headers),
});

/** Any error but an S3Fault is thrown. */
function isAccepted(request: Draft): boolean {
  try {
    const credentials = readCredentials(headOf(request));
    if (credentials === undefined) return false;
    verifySignature(credentials, SECRET, NOW);
    return true;
  } catch (error) {
    if (error instanceof S3Fault) return false;
    throw error;
  }
}

/** Others, such as Range, need not be signed. */
const MUST_BE_SIGNED = /^(?:host|content-type|x-amz-.*)$/;

/** What a request means: equal for requests that differ in their encoding only. */
function meaningOf({ method, path, query, headers }: Draft): string {
  const parameters = [...new URLSearchParams(query)].map((pair) => JSON.stringify(pair)).sort();
  const read = [...new Headers(headers)]
    .filter(([name]) => MUST_BE_SIGNED.test(name))
    .map(([name, value]) => `${name}:${value.trim().replace(/\s+/g, " ")}`);
  return JSON.stringify([method, decode(path), parameters, read.sort()]);
}

/** The bytes of a path, one character each. */
const decode = (path: string): string =>
  Buffer.from(path)
    .toString("latin1")
    .replace(/%[0-9a-f]{2}/gi, (triplet) => String.fromCharCode(parseInt(triplet.slice(1), 16)));

/** The mutated request of this seed if it is a forgery that is accepted; undefined otherwise. */
export function fuzzS3Signatures(seed: number): string | undefined {
  const random = createSeededRandom(seed);
  const valid = random.pick(VALID);
  let request = valid;
  for (let left = random.int(1, 4); left > 0; left -= 1) request = mutate(request, random);
  if (!isAccepted(request)) return undefined;
  return meaningOf(request) === meaningOf(valid) ? undefined : JSON.stringify(request);
}

/** Must be true, or the fuzzing proves nothing. */
export const areValidS3RequestsAccepted = (): boolean => VALID.every(isAccepted);

const TEXTS: readonly [string, ...string[]] = [
  ...(["%2F", "%2f", "/", "//", "..", "%2e%2e", "\\", "%00", "%zz", "%", "+", "%20", " "] as const),
  ...["&", "=", ";", "?", "x", "X", "0", "é", "%c3%a9", "\t", ",", "x-amz-acl", "host"],
  ...["&X-Amz-Signature=0", "&X-Amz-Expires=604800", "&versionId=1", "Signature=", "uploadId=z"],
  ...["UNSIGNED-PAYLOAD", "aws4_request", "AWS4-HMAC-SHA256", "STREAMING-UNSIGNED-PAYLOAD-TRAILER"],
];

function mutateText(text: string, random: SeededRandom): string {
  const at = random.int(0, text.length + 1);
  const removed = random.int(0, 3);
  return (
    text.slice(0, at) + (random.chance(0.7) ? random.pick(TEXTS) : "") + text.slice(at + removed)
  );
}

function mutate(request: Draft, random: SeededRandom): Draft {
  const names = Object.keys(request.headers);
  switch (random.int(0, 7)) {
    case 0:
      return { ...request, method: random.pick(["GET", "PUT", "DELETE", "POST", "HEAD"]) };
    case 1:
      return { ...request, path: `/${mutateText(request.path.slice(1), random)}` };
    case 2:
      return { ...request, query: mutateText(request.query, random) };
    case 3:
      return { ...request, query: request.query.split("&").reverse().join("&") };
    case 4: {
      const { [names[random.int(0, names.length)] ?? ""]: _, ...headers } = request.headers;
      return { ...request, headers };
    }
    case 5: {
      const name = random.pick(["x-amz-acl", "x-amz-copy-source", "x-amz-date", "range", "date"]);
      return { ...request, headers: { ...request.headers, [name]: random.pick(TEXTS).trim() } };
    }
    default: {
      const name = names[random.int(0, names.length)] ?? "host";
      const value = mutateText(request.headers[name] ?? "", random).replace(/[^\t -~]/g, "?");
      return { ...request, headers: { ...request.headers, [name]: value } };
    }
  }
}
