import { createHmac, hkdfSync } from "node:crypto";
import {
  createTwoGenerationCache,
  type TwoGenerationCache,
} from "../../lib/two-generation-cache.ts";
import { type CredentialScope, signingKey } from "./signing.ts";

/** The secret access keys of API keys, which are derived and not stored. */
export interface S3Secrets {
  /** 43 characters of base64url. */
  secretOf(secret: S3SecretName): string;
  signingSecretOf(secret: S3SecretName): SigningSecret;
}

export interface S3SecretName {
  readonly keyId: string;
  /** `ApiKeyRecord.secretVersion`. */
  readonly version: number;
}

/** A secret access key with which clients sign. */
export interface SigningSecret {
  text(): string;
  /** Its signing key for a day and a region; cached. */
  signingKey(scope: CredentialScope): Buffer;
}

/** A secret that is not derived. */
export function createSigningSecret(text: string): SigningSecret {
  const cache = createTwoGenerationCache<string, Buffer>(MAX_CACHED_BYTES);
  return {
    text: () => text,
    signingKey: (scope) => cachedKey(cache, `${scope.date}/${scope.region}`, () => text, scope),
  };
}

const PURPOSE = "holdall s3 secret access key v1";
/** The version of the secret of a key that was never rotated. */
const FIRST_VERSION = 1;

/** In bytes: enough for about four thousand signing keys. */
const MAX_CACHED_BYTES = 1024 * 1024;
const ENTRY_BYTES = 256;

/** Derives them with a key from `secret` for this purpose alone (RFC 5869). */
export function createS3Secrets(secret: string): S3Secrets {
  const key = new Uint8Array(hkdfSync("sha256", secret, "", PURPOSE, 32));
  const signingKeyCache = createTwoGenerationCache<string, Buffer>(MAX_CACHED_BYTES);

  const secretOf = ({ keyId, version }: S3SecretName): string =>
    createHmac("sha256", key)
      .update(`s3/${keyId}/${FIRST_VERSION + version}`)
      .digest("base64url");

  return {
    secretOf,
    signingSecretOf: (name) => ({
      text: () => secretOf(name),
      signingKey(scope) {
        const cacheKey = `${name.keyId}/${name.version}/${scope.date}/${scope.region}`;
        return cachedKey(signingKeyCache, cacheKey, () => secretOf(name), scope);
      },
    }),
  };
}

function cachedKey(
  cache: TwoGenerationCache<string, Buffer>,
  name: string,
  secret: () => string,
  scope: CredentialScope,
): Buffer {
  const cached = cache.get(name);
  if (cached !== undefined) return cached;
  const derived = signingKey(secret(), scope);
  cache.set(name, derived, ENTRY_BYTES);
  return derived;
}
