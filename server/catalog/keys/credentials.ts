import { cacheCounts } from "../../domain/process-figures.ts";
import { chain, type MaybePromise } from "../../lib/maybe-promise.ts";
import type { Engine } from "../engine/engine.ts";
import { lookup, type Param } from "../engine/prepared-statement.ts";
import type { FoundApiKey, SecondFactorRecord } from "../port/credentials.ts";
import { cached } from "../records/record-cache.ts";
import { withFolderKeys } from "./listed-api-keys.ts";
import {
  limitedKeyHash,
  selectAccounts,
  selectApiKeys,
  selectPasskeys,
  selectSessions,
  toAccount,
  toApiKey,
  toPasskey,
  toSecondFactor,
  toSession,
} from "./select-credentials.ts";

const apiKeyByHash = lookup((db, param: Param<{ hash: string; limited: string }>) =>
  selectApiKeys(db)
    .select("old_hash as oldHash")
    .where((eb) =>
      eb.or([
        eb("hash", "in", [param("hash"), param("limited")]),
        eb("old_hash", "in", [param("hash"), param("limited")]),
      ]),
    ),
);

const apiKeyById = lookup((db, param: Param<{ id: string }>) =>
  selectApiKeys(db).where("id", "=", param("id")),
);

const accountById = lookup((db, param: Param<{ id: string }>) =>
  selectAccounts(db).where("id", "=", param("id")),
);

const sessionByHash = lookup((db, param: Param<{ hash: string }>) =>
  selectSessions(db).where("hash", "=", param("hash")),
);

/** Read for every request with credentials. */
const CREDENTIALS = { maxBytes: 256 * 1024, weigh: () => 1000, counts: cacheCounts.credentials };

export function createCredentialQueries({ db, first, credentialVersion }: Engine) {
  const cachedUntilChange = <Value>(find: (hash: string) => MaybePromise<Value>) =>
    credentialVersion === undefined ? find : cached(credentialVersion, CREDENTIALS, find);

  return {
    async apiKeys() {
      const newestFirst = selectApiKeys(db).orderBy("created_at", "desc").orderBy("id", "desc");
      return withFolderKeys(db, (await newestFirst.execute()).map(toApiKey));
    },
    apiKeyByHash: cachedUntilChange((hash): MaybePromise<FoundApiKey | undefined> => {
      const limited = limitedKeyHash(hash);
      return chain(first(apiKeyByHash, { hash, limited }), (row) => {
        if (row === undefined) return undefined;
        const { oldHash, ...key } = row;
        const isOld = oldHash === hash || oldHash === limited;
        return { ...toApiKey(key), secretEndsAt: isOld ? key.oldSecretEndsAt : null };
      });
    }),
    apiKeyById: cachedUntilChange((id) =>
      chain(first(apiKeyById, { id }), (row) => (row === undefined ? undefined : toApiKey(row))),
    ),

    async accountCount() {
      return (await db.selectFrom("accounts").select("id").execute()).length;
    },
    accountById: cachedUntilChange((id) =>
      chain(first(accountById, { id }), (row) => (row === undefined ? undefined : toAccount(row))),
    ),
    async accountByEmail(email: string) {
      const row = await selectAccounts(db).where("email", "=", email).executeTakeFirst();
      return row && toAccount(row);
    },
    async secondFactorOf(accountId: string): Promise<SecondFactorRecord | undefined> {
      const row = await db
        .selectFrom("accounts")
        .select([
          "totp_secret as sealedSecret",
          "totp_step as lastStep",
          "totp_enabled_at as enabledAt",
          "recovery_hashes as hashes",
        ])
        .where("id", "=", accountId)
        .executeTakeFirst();
      return row && toSecondFactor(row);
    },
    async passkeysOf(accountId: string) {
      const newestFirst = selectPasskeys(db)
        .where("account_id", "=", accountId)
        .orderBy("created_at", "desc")
        .orderBy("id", "desc");
      return (await newestFirst.execute()).map(toPasskey);
    },
    async hasPasskeys(host: string) {
      const found = await db
        .selectFrom("passkeys")
        .select("id")
        .where("host", "=", host)
        .limit(1)
        .executeTakeFirst();
      return found !== undefined;
    },
    async passkeyByCredentialId(credentialId: string) {
      const row = await selectPasskeys(db)
        .where("credential_id", "=", credentialId)
        .executeTakeFirst();
      return row && toPasskey(row);
    },
    sessionByHash: cachedUntilChange((hash) =>
      chain(first(sessionByHash, { hash }), (row) =>
        row === undefined ? undefined : toSession(row),
      ),
    ),
    async sessionsOf(accountId: string) {
      const newestFirst = selectSessions(db)
        .where("account_id", "=", accountId)
        .orderBy("created_at", "desc")
        .orderBy("id", "desc");
      return (await newestFirst.execute()).map(toSession);
    },

    async setting(name: string): Promise<string | undefined> {
      const row = await db
        .selectFrom("settings")
        .select("value")
        .where("name", "=", name)
        .executeTakeFirst();
      return row?.value;
    },
    async settings(names: readonly string[]): Promise<Map<string, string>> {
      if (names.length === 0) return new Map();
      const rows = await db
        .selectFrom("settings")
        .select(["name", "value"])
        .where("name", "in", names)
        .execute();
      return new Map(rows.map(({ name, value }) => [name, value]));
    },
  };
}
