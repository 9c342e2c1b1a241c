import type { Credentials } from "../../catalog/port/credentials.ts";
import type { BoundKey } from "../../domain/callers/grants.ts";
import { S3Fault } from "../../domain/faults/s3-fault.ts";
import type { ApiKeyRecord, Millis } from "../../domain/records.ts";
import type { BodyFormat } from "../../semantics/s3-signature/body-format.ts";
import { accessKeyIdOf, keyIdOf } from "../../semantics/s3-signature/credential.ts";
import { type FormFields, formCredentials } from "../../semantics/s3-signature/form-credentials.ts";
import type { PostPolicy } from "../../semantics/s3-signature/post-policy.ts";
import { readCredentials, twoMechanisms } from "../../semantics/s3-signature/read-credentials.ts";
import type { RequestHead } from "../../semantics/s3-signature/request-head.ts";
import { createS3Secrets } from "../../semantics/s3-signature/s3-secret.ts";
import {
  type SignedCredentials,
  verifySignature,
} from "../../semantics/s3-signature/verify-signature.ts";
import type { Identity } from "../authenticate.ts";
import type { LastUsedBuffer } from "../last-used-buffer.ts";
import { createBindKey, type ScopeLedger } from "../people/scopes.ts";
import { createInitialKey } from "./initial-key.ts";

/**
 * API keys as credentials of the S3 API. What the caller may do, its expiry and its revocation are those
 * of the API key.
 */
export interface S3Access {
  /** The current credentials for S3 clients of an API key. */
  credentialsOf(key: Pick<ApiKeyRecord, "id" | "secretVersion">): S3Credentials;
  /**
   * Decides which kind of credentials the headers or the query of a request have, and verifies them.
   * undefined: they have none. S3Fault: it is not valid; the code says why.
   */
  authenticate(head: RequestHead): Promise<S3Identity | undefined>;
  /**
   * Verifies the policy and its signature in the fields of a form. undefined: it has none. S3Fault:
   * not valid, against the policy, or the request has other credentials besides.
   */
  authenticateForm(head: RequestHead, fields: FormFields): Promise<S3FormIdentity | undefined>;
  /**
   * S3Faults since then: "InvalidAccessKeyId": the caller's key was revoked, or has expired;
   * "SignatureDoesNotMatch": the secret that signed was replaced.
   */
  requireStillValid(identity: S3Identity["identity"]): Promise<void>;
}

export interface S3Credentials {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
}

/** Who sends an S3 request, and what the credentials say about its body. */
export interface S3Identity {
  readonly kind: "header" | "query";
  /** `secretVersion` of the key is that of the secret that signed. */
  readonly identity: Extract<Identity, { kind: "key" }>;
  readonly body: BodyFormat;
  /** The request's headers, with those that are in the query of a presigned URL. */
  readonly headers: Headers;
}

export interface S3FormIdentity {
  readonly kind: "form";
  readonly identity: Extract<Identity, { kind: "key" }>;
  /** How many bytes the file may have; undefined: any number. */
  readonly size: PostPolicy["size"];
}

export interface S3AccessDeps {
  readonly credentials: Pick<Credentials, "apiKeyById"> & ScopeLedger;
  readonly lastUsed: Pick<LastUsedBuffer, "recordKey">;
  /** AUTH_SECRET. Called once, when it is needed first. */
  readonly secret: () => string;
  /** Credentials from the environment, which open only the S3 API; null: none. */
  readonly initial?: S3Credentials | null;
  /** Default: true. */
  readonly acceptsV2?: boolean;
  readonly now?: () => Millis;
}

export function createS3Access(deps: S3AccessDeps): S3Access {
  const { credentials, lastUsed, secret, now = Date.now } = deps;
  const versions = { acceptsV2: deps.acceptsV2 ?? true };
  const bind = createBindKey(credentials);
  const initial = deps.initial ? createInitialKey(deps.initial) : undefined;
  let derived: ReturnType<typeof createS3Secrets> | undefined;
  const secrets = () => {
    derived ??= createS3Secrets(secret());
    return derived;
  };

  async function findKey(accessKeyId: string): Promise<BoundKey> {
    if (accessKeyId === initial?.accessKeyId) return initial.key;
    const id = keyIdOf(accessKeyId);
    const found = id === undefined ? undefined : await credentials.apiKeyById(id);
    const key = found && (await bind(found));
    if (key === undefined || (key.expiresAt !== null && now() >= key.expiresAt)) {
      throw new S3Fault(
        "InvalidAccessKeyId",
        "The AWS Access Key Id you provided does not exist in our records: it must be that of an API key that is not expired or revoked (`holdall keys s3 ID` shows it).",
        { fields: { AWSAccessKeyId: accessKeyId } },
      );
    }
    return key;
  }

  /** The only way to an identity. */
  async function verify(signed: SignedCredentials) {
    const key = await findKey(signed.accessKeyId);
    if (key === initial?.key) {
      const body = verifySignature(signed, initial.secret, now());
      return { identity: { kind: "key", key }, body } as const;
    }
    const verifyWith = (version: number) =>
      verifySignature(signed, secrets().signingSecretOf({ keyId: key.id, version }), now());
    let version = key.secretVersion;
    let body: ReturnType<typeof verifyWith>;
    try {
      body = verifyWith(version);
    } catch (error) {
      if (!isSignatureMismatch(error) || !acceptsVersion(key, version - 1)) throw error;
      version -= 1;
      body = verifyWith(version);
    }
    lastUsed.recordKey(key.id);
    return { identity: { kind: "key", key: { ...key, secretVersion: version } }, body } as const;
  }

  /** Whether the key's secret of this version is the current one, or still works. */
  const acceptsVersion = (key: ApiKeyRecord, version: number): boolean =>
    version === key.secretVersion ||
    (version === key.secretVersion - 1 &&
      key.oldSecretEndsAt !== null &&
      now() < key.oldSecretEndsAt);

  return {
    credentialsOf: ({ id, secretVersion }) => ({
      accessKeyId: accessKeyIdOf(id),
      secretAccessKey: secrets().secretOf({ keyId: id, version: secretVersion }),
    }),
    async authenticate(head) {
      const signed = readCredentials(head, versions);
      if (signed === undefined) return undefined;
      const { kind, headers = head.headers } = signed;
      return { kind: kind === "query" ? "query" : "header", headers, ...(await verify(signed)) };
    },
    async authenticateForm(head, fields) {
      const found = formCredentials(fields, versions);
      if (found === undefined) return undefined;
      if (readCredentials(head) !== undefined) throw twoMechanisms();
      const { identity } = await verify(found.credentials);
      return { kind: "form", identity, size: found.policy.size };
    },
    async requireStillValid({ key }) {
      // It is valid as long as this process runs.
      if (key === initial?.key) return;
      const current = await findKey(accessKeyIdOf(key.id));
      if (key.actions.some((action) => !current.actions.includes(action))) {
        throw new S3Fault(
          "AccessDenied",
          "The rights of this API key were reduced while the request was running.",
        );
      }
      if (acceptsVersion(current, key.secretVersion)) return;
      throw new S3Fault(
        "SignatureDoesNotMatch",
        "The secret access key of this API key was replaced while the request was running (`holdall keys s3 ID` shows the new one).",
      );
    },
  };
}

const isSignatureMismatch = (error: unknown): boolean =>
  error instanceof S3Fault && error.s3Code === "SignatureDoesNotMatch";
