import type { ApiKeyRecord } from "../../domain/records.ts";
import { createSigningSecret, type SigningSecret } from "../../semantics/s3-signature/s3-secret.ts";

/** The credentials from the environment, as an API key that only the S3 API knows. */
export interface InitialKey {
  readonly accessKeyId: string;
  readonly key: ApiKeyRecord;
  readonly secret: SigningSecret;
}

/** No API key has this id, because it has no time. */
const ID = "00000000-0000-7000-8000-000000000001";

export function createInitialKey({
  accessKeyId,
  secretAccessKey,
}: {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
}): InitialKey {
  return {
    accessKeyId,
    secret: createSigningSecret(secretAccessKey),
    key: {
      id: ID,
      name: "initial S3 credentials",
      prefix: "",
      createdAt: 0,
      lastUsedAt: null,
      expiresAt: null,
      actions: ["list", "read", "write", "delete"],
      folderIds: [],
      parentId: null,
      secretVersion: 0,
      oldSecretEndsAt: null,
    },
  };
}
