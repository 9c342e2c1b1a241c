import type { GrantRecord, InviteRecord } from "../../domain/accounts.ts";
import { cacheCounts } from "../../domain/process-figures.ts";
import type { Millis } from "../../domain/records.ts";
import type { MaybePromise } from "../../lib/maybe-promise.ts";
import type { Engine } from "../engine/engine.ts";
import { selectAccounts, toAccount } from "../keys/select-credentials.ts";
import type { ListedAccount } from "../port/people.ts";
import { cached } from "../records/record-cache.ts";
import { isOfMember, selectGrants, selectInvites, toGrant, toInvite } from "./select-people.ts";

/** Read for every request of a member. */
const GRANTS = { maxBytes: 64 * 1024, weigh: () => 1000, counts: cacheCounts.credentials };

export function createPeopleQueries({ db, generation }: Engine) {
  const findGrants = async (member: string): Promise<GrantRecord[]> => {
    const [accountId, ...groups]: string[] = JSON.parse(member);
    const rows = await selectGrants(db)
      .where(isOfMember(accountId ?? "", groups))
      .execute();
    return rows.map(toGrant);
  };
  const grantsOf: (member: string) => MaybePromise<GrantRecord[]> =
    generation === undefined ? findGrants : cached(generation, GRANTS, findGrants);

  return {
    async accounts(): Promise<ListedAccount[]> {
      const rows = await selectAccounts(db)
        .select(({ selectFrom, fn }) => [
          selectFrom("passkeys")
            .select(fn.countAll<number>().as("count"))
            .whereRef("passkeys.account_id", "=", "accounts.id")
            .as("passkeys"),
          selectFrom("identities")
            .select(fn.countAll<number>().as("count"))
            .whereRef("identities.account_id", "=", "accounts.id")
            .as("identities"),
          selectFrom("sessions")
            .select((sessions) => sessions.fn.max("last_seen_at").as("at"))
            .whereRef("sessions.account_id", "=", "accounts.id")
            .as("lastSeenAt"),
        ])
        .orderBy("created_at")
        .orderBy("id")
        .execute();
      return rows.map(({ passkeys, identities, lastSeenAt, ...account }) => ({
        ...toAccount(account),
        passkeys: Number(passkeys),
        identities: Number(identities),
        lastSeenAt: lastSeenAt === null ? null : Number(lastSeenAt),
      }));
    },
    async hasOthers(now: Millis): Promise<boolean> {
      const [accounts, invites, grants] = await Promise.all([
        db.selectFrom("accounts").select("id").limit(2).execute(),
        db.selectFrom("invites").select("id").where("expires_at", ">", now).limit(1).execute(),
        db.selectFrom("grants").select("id").limit(1).execute(),
      ]);
      return accounts.length > 1 || invites.length + grants.length > 0;
    },
    async grants(): Promise<GrantRecord[]> {
      return (await selectGrants(db).execute()).map(toGrant);
    },
    grantsOf: ({ accountId, groups }: { accountId: string; groups: readonly string[] }) =>
      grantsOf(JSON.stringify([accountId, ...groups])),
    async invites(now: Millis): Promise<InviteRecord[]> {
      const rows = selectInvites(db).where("expires_at", ">", now);
      return (await rows.orderBy("id", "desc").execute()).map(toInvite);
    },
    async inviteByHash(tokenHash: string): Promise<InviteRecord | undefined> {
      const row = await selectInvites(db).where("token_hash", "=", tokenHash).executeTakeFirst();
      return row && toInvite(row);
    },
    async accountByIdentity(issuer: string, subject: string) {
      const row = await selectAccounts(db)
        .where("id", "=", (eb) =>
          eb
            .selectFrom("identities")
            .select("account_id")
            .where("issuer", "=", issuer)
            .where("subject", "=", subject),
        )
        .executeTakeFirst();
      return row && toAccount(row);
    },
    identitiesOf: (accountId: string) =>
      db
        .selectFrom("identities")
        .select(["account_id as accountId", "issuer", "subject", "created_at as createdAt"])
        .where("account_id", "=", accountId)
        .orderBy("id")
        .execute(),
  };
}
