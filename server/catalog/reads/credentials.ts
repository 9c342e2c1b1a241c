import type { Engine } from "../engine.ts";
import type { Credentials } from "../port.ts";
import { type Param, prepared } from "../prepared-statement.ts";
import { selectAccounts, selectApiKeys, selectSessions } from "../select-credentials.ts";

const apiKeyByHash = prepared((db, param: Param<{ hash: string }>) =>
  selectApiKeys(db).where("hash", "=", param("hash")),
);

const sessionByHash = prepared((db, param: Param<{ hash: string }>) =>
  selectSessions(db).where("hash", "=", param("hash")),
);

export function createCredentials({ db, first, change }: Engine): Credentials {
  return {
    apiKeys: () => selectApiKeys(db).orderBy("created_at", "desc").orderBy("id", "desc").execute(),
    apiKeyByHash: (hash) => first(apiKeyByHash, { hash }),
    addApiKey: (key) => change("addApiKey", key),
    renameApiKey: (id, name) => change("renameApiKey", { id, name }),
    removeApiKey: (id) => change("removeApiKey", id),
    recordUse: (use) => change("recordUse", use),

    async accountCount() {
      return (await db.selectFrom("accounts").select("id").execute()).length;
    },
    accountById: (id) => selectAccounts(db).where("id", "=", id).executeTakeFirst(),
    accountByEmail: (email) => selectAccounts(db).where("email", "=", email).executeTakeFirst(),
    addFirstAccount: (account) => change("addFirstAccount", account),
    setEmail: (input) => change("setEmail", input),
    setPassword: (input) => change("setPassword", input),

    addSession: (session) => change("addSession", session),
    sessionByHash: (hash) => first(sessionByHash, { hash }),
    sessionsOf: (accountId) =>
      selectSessions(db)
        .where("account_id", "=", accountId)
        .orderBy("created_at", "desc")
        .orderBy("id", "desc")
        .execute(),
    removeSession: (accountId, id) => change("removeSession", { accountId, id }),
    removeOtherSessions: (accountId, keep) => change("removeOtherSessions", { accountId, keep }),
    removeExpiredSessions: (now) => change("removeExpiredSessions", now),

    async setting(name) {
      const row = await db
        .selectFrom("settings")
        .select("value")
        .where("name", "=", name)
        .executeTakeFirst();
      return row?.value;
    },
    async settings(names) {
      if (names.length === 0) return new Map();
      const rows = await db
        .selectFrom("settings")
        .select(["name", "value"])
        .where("name", "in", names)
        .execute();
      return new Map(rows.map(({ name, value }) => [name, value]));
    },
    claimSetting: (name, value) => change("claimSetting", { name, value }),
    putSetting: (name, value) => change("putSettings", { [name]: value }),
    putSettings: (values) => change("putSettings", values),
  };
}
