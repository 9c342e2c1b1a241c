import type { Credentials } from "../catalog/port.ts";
import { Fault } from "../rules/fault.ts";
import type { ApiKeyRecord, Millis } from "../rules/records.ts";
import type { LastUsedReader } from "./last-used-buffer.ts";
import { hashSecret, randomSecret } from "./secrets.ts";

export interface ApiKeys {
  list(): Promise<ApiKeyRecord[]>;
  /** The secret cannot be read again. */
  create(key: NewApiKey): Promise<{ record: ApiKeyRecord; secret: string }>;
  /** Adds `secret` as a key that never expires, unless it is a key already. */
  install(secret: string, name: string): Promise<void>;
  /** Fault "not_found". */
  rename(id: string, name: string): Promise<ApiKeyRecord>;
  /** Invalidates the key at once. false: not found. */
  revoke(id: string): Promise<boolean>;
  /** The key with this secret, unless it has expired. */
  authenticate(secret: string): Promise<ApiKeyRecord | undefined>;
}

export interface NewApiKey {
  readonly name: string;
  /** In seconds; null: never. */
  readonly expiresIn: number | null;
}

const SECRET_PREFIX = "hd_";

/** Identifies a key in lists without helping to guess it: 5 of 43 random characters. */
const PREFIX_LENGTH = SECRET_PREFIX.length + 5;
/** Less of an installed secret, which may be short. */
const INSTALLED_PREFIX_LENGTH = 3;

/** Longer input is refused without hashing it. */
const MAX_LENGTH = 512;

export function createApiKeys(
  credentials: Credentials,
  now: () => Millis = Date.now,
  lastUsed?: LastUsedReader,
): ApiKeys {
  const withLastUse = (key: ApiKeyRecord): ApiKeyRecord => ({
    ...key,
    lastUsedAt: lastUsed?.unwritten(key.id) ?? key.lastUsedAt,
  });

  async function add(secret: string, { name, expiresIn }: NewApiKey): Promise<ApiKeyRecord> {
    const createdAt = now();
    const record: ApiKeyRecord = {
      id: Bun.randomUUIDv7("hex", createdAt),
      name,
      prefix: secret.slice(
        0,
        secret.startsWith(SECRET_PREFIX) ? PREFIX_LENGTH : INSTALLED_PREFIX_LENGTH,
      ),
      createdAt,
      lastUsedAt: null,
      expiresAt: expiresIn === null ? null : createdAt + Math.floor(expiresIn * 1000),
      actions: ["admin"],
      folderIds: [],
      parentId: null,
    };
    await credentials.addApiKey({ ...record, hash: hashSecret(secret) });
    return record;
  }

  return {
    async list() {
      await lastUsed?.flushPeers();
      return (await credentials.apiKeys()).map(withLastUse);
    },
    async create(key) {
      const secret = SECRET_PREFIX + randomSecret();
      return { record: await add(secret, key), secret };
    },
    async install(secret, name) {
      if ((await credentials.apiKeyByHash(hashSecret(secret))) !== undefined) return;
      try {
        await add(secret, { name, expiresIn: null });
      } catch (error) {
        // Another process that starts at the same time was first.
        if (!(error instanceof Fault && error.kind === "conflict")) throw error;
      }
    },
    async rename(id, name) {
      await lastUsed?.flushPeers();
      return withLastUse(await credentials.renameApiKey(id, name));
    },
    revoke: (id) => credentials.removeApiKey(id),
    async authenticate(secret) {
      if (secret === "" || secret.length > MAX_LENGTH) return undefined;
      const key = await credentials.apiKeyByHash(hashSecret(secret));
      if (key === undefined) return undefined;
      return key.expiresAt === null || now() < key.expiresAt ? key : undefined;
    },
  };
}
