import type { KeyAction } from "../key-actions.ts";

export interface ApiKeyObject {
  id: string;
  name: string;
  prefix: string;
  createdAt: string;
  lastUsedAt: string | null;
  expiresAt: string | null;
  actions: KeyAction[];
  /** null: all folders. Its `key` is null if the folder was deleted; the key then reaches nothing. */
  folder: { id: string; key: string | null } | null;
  /** The API key that created it, and that ends it when it is revoked; null: none. */
  parentId: string | null;
  /** Until when the secret from before the last rotation works, too; null: it does not. */
  oldSecretExpiresAt: string | null;
}

/** What an S3 client needs to act as an API key. */
export interface S3Credentials {
  accessKeyId: string;
  secretAccessKey: string;
}

/** Requests that an API key has authenticated. */
export interface KeyTrafficObject {
  readonly id: string;
  readonly name: string;
  readonly requests: number;
  /** Bytes of file content in the responses. */
  readonly bytes: number;
  /** Responses with a status of 400 or above. */
  readonly errors: number;
}
