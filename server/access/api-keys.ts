import type { Credentials } from "../catalog/port.ts";
import { Fault } from "../rules/fault.ts";
import type { ApiKeyRecord, Millis } from "../rules/records.ts";
import type { LastUsedReader } from "./last-used-buffer.ts";
import { hashSecret, randomSecret } from "./secrets.ts";

export interface ApiKeys {
  list(): Promise<ApiKeyRecord[]>;
  /** `expiresIn` in seconds, null: never. The secret cannot be read again. */
  create(key: NewApiKey): Promise<{ record: ApiKeyRecord; secret: string }>;
  /** Makes `secret` a key that never expires, if it is not one already. */
  install(secret: string, name: string): Promise<void>;
  /** Fault "not_found". */
  rename(id: string, name: string): Promise<ApiKeyRecord>;
  /** Ends the key at once. false: there is none. */
  revoke(id: string): Promise<boolean>;
  /** The key that this is the secret of, unless it has expired. */
  authenticate(secret: string): Promise<ApiKeyRecord | undefined>;
}

export interface NewApiKey {
  readonly name: string;
  readonly expiresIn: number | null;
}

const MARK = "hd_";

/** Enough to tell keys apart, too little to help a guess: 5 of 43 random characters, */
const PREFIX_LENGTH = MARK.length + 5;
/** and less of a key that somebody made up. */
const FOREIGN_PREFIX_LENGTH = 3;

/** No key is longer, and nobody is made to hash a megabyte. */
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
      prefix: secret.slice(0, secret.startsWith(MARK) ? PREFIX_LENGTH : FOREIGN_PREFIX_LENGTH),
      createdAt,
      lastUsedAt: null,
      expiresAt: expiresIn === null ? null : createdAt + Math.floor(expiresIn * 1000),
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
      const secret = MARK + randomSecret();
      return { record: await add(secret, key), secret };
    },
    async install(secret, name) {
      if ((await credentials.apiKeyByHash(hashSecret(secret))) !== undefined) return;
      try {
        await add(secret, { name, expiresIn: null });
      } catch (error) {
        // Another process that starts at this moment was first.
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
