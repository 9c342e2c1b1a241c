import { createHash, randomBytes, timingSafeEqual } from "node:crypto";

/*
 * The URL of an upload or a batch ends with a token, `{id}.{secret}`. Anyone who has it may use the
 * upload or batch, without other credentials. Only the hash of the secret is stored.
 */

export interface UploadToken {
  readonly id: string;
  readonly secret: string;
}

/** 256 random bits. */
const SECRET_BYTES = 32;
/** An id is a UUID, a secret is base64url. The last of its 43 characters encodes four bits. */
const TOKEN =
  /^([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})\.([A-Za-z0-9_-]{42}[AEIMQUYcgkosw048])$/;

/** A new secret for this id. */
export const createUploadToken = (id: string): UploadToken => ({
  id,
  secret: randomBytes(SECRET_BYTES).toString("base64url"),
});

export const formatUploadToken = ({ id, secret }: UploadToken): string => `${id}.${secret}`;

/** undefined: malformed, so no upload has it. */
export function parseUploadToken(text: string): UploadToken | undefined {
  const [, id, secret] = TOKEN.exec(text) ?? [];
  return id === undefined || secret === undefined ? undefined : { id, secret };
}

/** SHA-256 in lower-case hex. With 256 random bits a slow hash adds nothing. */
export const hashUploadSecret = (secret: string): string =>
  createHash("sha256").update(secret).digest("hex");

/** Whether the secret has this hash, compared in constant time. */
export function isUploadSecret(secret: string, hash: string): boolean {
  const actual = Buffer.from(hashUploadSecret(secret));
  const expected = Buffer.from(hash);
  return actual.length === expected.length && timingSafeEqual(actual, expected);
}
