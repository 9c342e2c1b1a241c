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
        ])
        .orderBy("created_at")
        .orderBy("id")
        .execute();
      return rows.map(({ passkeys, identities, ...account }) => ({
        ...toAccount(account),
        passkeys: Number(passkeys),
        identities: Number(identities),
      }));
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
