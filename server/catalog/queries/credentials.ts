import { chain } from "../../rules/maybe-promise.ts";
import type { Engine } from "../engine.ts";
import { limitedKeyHash } from "../limited-key-hash.ts";
import { type Param, prepared } from "../prepared-statement.ts";
import { withFolderKeys } from "./listed-api-keys.ts";
import { selectAccounts, selectApiKeys, selectSessions, toApiKey } from "./select-credentials.ts";

const apiKeyByHash = prepared((db, param: Param<{ hash: string; limited: string }>) =>
  selectApiKeys(db).where("hash", "in", [param("hash"), param("limited")]),
);

const apiKeyById = prepared((db, param: Param<{ id: string }>) =>
  selectApiKeys(db).where("id", "=", param("id")),
);

const sessionByHash = prepared((db, param: Param<{ hash: string }>) =>
  selectSessions(db).where("hash", "=", param("hash")),
);

export function createCredentialQueries({ db, first }: Engine) {
  return {
    async apiKeys() {
      const newestFirst = selectApiKeys(db).orderBy("created_at", "desc").orderBy("id", "desc");
      return withFolderKeys(db, (await newestFirst.execute()).map(toApiKey));
    },
    apiKeyByHash: (hash: string) =>
      chain(first(apiKeyByHash, { hash, limited: limitedKeyHash(hash) }), (row) =>
        row === undefined ? undefined : toApiKey(row),
      ),
    apiKeyById: (id: string) =>
      chain(first(apiKeyById, { id }), (row) => (row === undefined ? undefined : toApiKey(row))),

    async accountCount() {
      return (await db.selectFrom("accounts").select("id").execute()).length;
    },
    accountById: (id: string) => selectAccounts(db).where("id", "=", id).executeTakeFirst(),
    accountByEmail: (email: string) =>
      selectAccounts(db).where("email", "=", email).executeTakeFirst(),
    sessionByHash: (hash: string) => first(sessionByHash, { hash }),
    sessionsOf: (accountId: string) =>
      selectSessions(db)
        .where("account_id", "=", accountId)
        .orderBy("created_at", "desc")
        .orderBy("id", "desc")
        .execute(),

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
