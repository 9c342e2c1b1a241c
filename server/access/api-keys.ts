import type { Credentials, ListedApiKey } from "../catalog/port/credentials.ts";
import type { BoundKey } from "../domain/callers/grants.ts";
import { isInFolder, topOf } from "../domain/callers/scope.ts";
import { Fault } from "../domain/faults/fault.ts";
import type { Key, KeyAction, Millis } from "../domain/records.ts";
import { uuidV7 } from "../runtime/uuid.ts";
import { freeKeyRights, rejectRotation } from "./key-rights.ts";
import type { LastUsedReader } from "./last-used-buffer.ts";
import { type KeyMaker, keyOf, memberOf, reachOf, rightsFor } from "./people/key-maker.ts";
import { createBindKey } from "./people/scopes.ts";
import { hashSecret, randomSecret } from "./secrets.ts";

/**
 * API keys. `parent` is a key that reaches only its descendants, which it may create, see, rename and
 * revoke; or a member, who reaches only its own. Left out: all keys are meant, and a new one has no parent.
 */
export interface ApiKeys {
  /** Newest first. */
  list(parent?: KeyMaker): Promise<ListedApiKey[]>;
  /**
   * The secret cannot be read again. Faults: "not_found": the folder does not exist, or is outside
   * the parent's; "forbidden": the new key would have more rights than its parent, or would be
   * valid longer than it may be.
   */
  create(key: NewApiKey, parent?: KeyMaker): Promise<{ record: ListedApiKey; secret: string }>;
  /** Adds `secret` as a key without limits that never expires, unless it is a key already. */
  install(secret: string, name: string): Promise<void>;
  /**
   * Adds a key of another server, of which only the hash of its secret is known: the SHA-256 in hexadecimal
   * digits. It may do what a new key may by default. Returns false if there is a key with this secret.
   */
  adopt(key: AdoptedKey): Promise<boolean>;
  /** Fault "not_found". */
  rename(id: string, name: string, parent?: KeyMaker): Promise<ListedApiKey>;
  /**
   * Gives the key a new secret, which cannot be read again. The one before works for
   * `oldSecretExpiresIn` seconds more, unless the key is rotated again. Faults: "not_found"; "conflict":
   * the key has expired; "forbidden": it is valid after `notAfter`.
   */
  rotate(
    rotation: KeyRotationRequest,
    parent?: KeyMaker,
  ): Promise<{ record: ListedApiKey; secret: string }>;
  /**
   * Invalidates the key and its descendants at once. Returns their ids, the key's first; none: not
   * found.
   */
  revoke(id: string, parent?: KeyMaker): Promise<string[]>;
  /** The key with this secret, unless it has expired, with the rights that its account leaves it. */
  authenticate(secret: string): Promise<BoundKey | undefined>;
}

export type { ListedApiKey };

export interface NewApiKey {
  readonly name: string;
  /** In seconds; null: never. Default: as its parent; without a parent, `notAfter`. */
  readonly expiresIn?: number | null | undefined;
  /** Instead of `expiresIn`. null: never. */
  readonly expiresAt?: Millis | null | undefined;
  /** A key without a parent must end by then. Default: it may have any expiry. */
  readonly notAfter?: Millis | undefined;
  /** Default: all but `admin` and `keys`, as far as its parent has them. */
  readonly actions?: readonly KeyAction[] | undefined;
  /** The account that it is bound to, if it has no parent. */
  readonly accountId?: string | undefined;
  /** Default: as its parent; without a parent, all folders. */
  readonly folder?: { readonly id: string } | { readonly key: Key } | undefined;
}

export interface AdoptedKey {
  readonly name: string;
  /** What all secrets of that server begin with. */
  readonly prefix: string;
  readonly hash: string;
  readonly createdAt: Millis;
  readonly lastUsedAt: Millis | null;
  /** null: never. */
  readonly expiresAt: Millis | null;
}

export interface KeyRotationRequest {
  readonly id: string;
  readonly oldSecretExpiresIn: number;
  /** When the key that asks expires. Left out: never, or a session asks. */
  readonly notAfter?: Millis | undefined;
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
  const bind = createBindKey(credentials);

  /** With its last use, and without the end of an old secret once it has ended. */
  const asOfNow = (key: ListedApiKey): ListedApiKey => ({
    ...key,
    lastUsedAt: lastUsed?.unwritten(key.id) ?? key.lastUsedAt,
    oldSecretEndsAt:
      key.oldSecretEndsAt !== null && now() < key.oldSecretEndsAt ? key.oldSecretEndsAt : null,
  });

  function add(
    secret: string,
    { name, notAfter, actions, folder, accountId, ...expiry }: NewApiKey,
    parent: KeyMaker | undefined,
  ): Promise<ListedApiKey> {
    const createdAt = now();
    const wanted = { actions, expiresAt: expiryOf(expiry, createdAt) };
    const member = memberOf(parent);
    const key = keyOf(parent);
    return credentials.addApiKey({
      id: uuidV7(createdAt),
      name,
      prefix: prefixOf(secret),
      createdAt,
      lastUsedAt: null,
      ...rightsFor(parent, wanted, notAfter),
      folder: folder ?? null,
      parentId: key?.id ?? null,
      accountId: member?.accountId ?? accountId,
      outerFolderIds: member?.scope.folderIds,
      hash: hashSecret(secret),
    });
  }

  async function list(parent?: KeyMaker): Promise<ListedApiKey[]> {
    await lastUsed?.flushPeers();
    const all = (await credentials.apiKeys()).map(asOfNow);
    return parent === undefined ? all : seenBy(parent, all);
  }

  return {
    list,
    async create(key, parent) {
      const secret = SECRET_PREFIX + randomSecret();
      return { record: await add(secret, key, parent), secret };
    },
    async install(secret, name) {
      if ((await credentials.apiKeyByHash(hashSecret(secret))) !== undefined) return;
      try {
        await add(secret, { name, actions: ["admin"] }, undefined);
      } catch (error) {
        // Another process that starts at the same time was first.
        if (!(error instanceof Fault && error.kind === "conflict")) throw error;
      }
    },
    async adopt({ expiresAt, ...key }) {
      if ((await credentials.apiKeyByHash(key.hash)) !== undefined) return false;
      try {
        await credentials.addApiKey({
          ...key,
          ...freeKeyRights({ actions: undefined, expiresAt }),
          id: uuidV7(now()),
          folder: null,
          parentId: null,
        });
        return true;
      } catch (error) {
        if (error instanceof Fault && error.kind === "conflict") return false;
        throw error;
      }
    },
    async rename(id, name, parent) {
      const renamed = await credentials.renameApiKey({ id, name, ...reachOf(parent) });
      const listed = await list(parent);
      return listed.find((key) => key.id === id) ?? asOfNow(renamed);
    },
    async rotate({ id, oldSecretExpiresIn, notAfter }, parent) {
      const key = (await list(parent)).find((each) => each.id === id);
      if (key === undefined) throw new Fault("not_found", "API key not found.");
      const at = now();
      rejectRotation(key, at, notAfter);
      const secret = SECRET_PREFIX + randomSecret();
      const keptMs = Math.floor(oldSecretExpiresIn * 1000);
      const rotated = await credentials.rotateApiKey({
        id,
        ...reachOf(parent),
        hash: hashSecret(secret),
        prefix: prefixOf(secret),
        // At once on every server, also on one whose clock is behind.
        oldSecretEndsAt: keptMs === 0 ? 0 : at + keptMs,
      });
      const listed = await list(parent);
      return { record: listed.find((each) => each.id === id) ?? asOfNow(rotated), secret };
    },
    revoke: (id, parent) => credentials.removeApiKey({ id, ...reachOf(parent) }),
    async authenticate(secret) {
      if (secret === "" || secret.length > MAX_LENGTH) return undefined;
      const key = await credentials.apiKeyByHash(hashSecret(secret));
      if (key === undefined) return undefined;
      const { secretEndsAt, ...record } = key;
      const at = now();
      const isValid =
        (record.expiresAt === null || at < record.expiresAt) &&
        (secretEndsAt === null || at < secretEndsAt);
      return isValid ? bind(record) : undefined;
    },
  };
}

/** undefined: neither is given. Fault "invalid": both are given, or the time is past. */
function expiryOf(
  { expiresIn, expiresAt }: Pick<NewApiKey, "expiresIn" | "expiresAt">,
  now: Millis,
): Millis | null | undefined {
  if (expiresIn !== undefined && expiresAt !== undefined) {
    throw new Fault("invalid", "Give either `expiresAt` or `expiresIn`, not both.");
  }
  if (expiresAt != null && expiresAt <= now) {
    throw new Fault("invalid", "`expiresAt` must be in the future.");
  }
  return expiresIn == null ? (expiresAt ?? expiresIn) : now + Math.floor(expiresIn * 1000);
}

const prefixOf = (secret: string): string =>
  secret.slice(0, secret.startsWith(SECRET_PREFIX) ? PREFIX_LENGTH : INSTALLED_PREFIX_LENGTH);

/**
 * The keys that descend from `parent`, or are the member's, as it may see them: a folder that was moved out of its own
 * looks deleted.
 */
function seenBy(parent: KeyMaker, all: readonly ListedApiKey[]): ListedApiKey[] {
  const byId = new Map(all.map((key) => [key.id, key]));
  const isSeen = (key: ListedApiKey): boolean =>
    "scope" in parent ? key.accountId === parent.accountId : descendsFrom(parent.id, key, byId);
  const keys = "scope" in parent ? [parent.top] : (byId.get(parent.id)?.folderKeys ?? []);
  const top = topOf(keys.map((key) => key ?? undefined));
  return all.filter(isSeen).map((key) => ({
    ...key,
    folderKeys: key.folderKeys.map((folder) =>
      folder !== null && top !== undefined && isInFolder(folder, top) ? folder : null,
    ),
  }));
}

function descendsFrom(
  id: string,
  key: ListedApiKey,
  byId: ReadonlyMap<string, ListedApiKey>,
): boolean {
  if (key.parentId === null) return false;
  if (key.parentId === id) return true;
  const parent = byId.get(key.parentId);
  return parent !== undefined && descendsFrom(id, parent, byId);
}
