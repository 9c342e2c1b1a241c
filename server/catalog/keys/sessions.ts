import type { Millis, SessionRecord } from "../../domain/records.ts";
import type { Tx } from "../engine/tx.ts";
import { accountDisabled, passwordChanged } from "./accounts.ts";

export async function addSession(
  tx: Tx,
  session: SessionRecord & { hash: string; passwordHash: string },
): Promise<void> {
  const account = await tx.db
    .selectFrom("accounts")
    .select("disabled_at")
    .where("id", "=", session.accountId)
    .where("password_hash", "=", session.passwordHash)
    .forUpdate()
    .executeTakeFirst();
  if (account === undefined) throw passwordChanged();
  if (account.disabled_at !== null) throw accountDisabled();
  await tx.db
    .insertInto("sessions")
    .values({
      id: session.id,
      hash: session.hash,
      account_id: session.accountId,
      user_agent: session.userAgent,
      address: session.address,
      created_at: session.createdAt,
      last_seen_at: session.lastSeenAt,
      expires_at: session.expiresAt,
      method: session.method,
      groups: JSON.stringify(session.groups),
    })
    .execute();
  if (session.method !== "oidc") return;
  await tx.db
    .updateTable("accounts")
    .set({ groups: JSON.stringify(session.groups) })
    .where("id", "=", session.accountId)
    .execute();
}

export async function removeSession(tx: Tx, accountId: string, id: string): Promise<boolean> {
  const gone = await tx.db
    .deleteFrom("sessions")
    .where("id", "=", id)
    .where("account_id", "=", accountId)
    .executeTakeFirst();
  return gone.numDeletedRows > 0n;
}

export async function removeOtherSessions(
  tx: Tx,
  accountId: string,
  keep: string,
): Promise<number> {
  const gone = await tx.db
    .deleteFrom("sessions")
    .where("account_id", "=", accountId)
    .where("id", "<>", keep)
    .executeTakeFirst();
  return Number(gone.numDeletedRows);
}

export async function removeExpiredSessions(tx: Tx, now: Millis): Promise<number> {
  const gone = await tx.db.deleteFrom("sessions").where("expires_at", "<=", now).executeTakeFirst();
  return Number(gone.numDeletedRows);
}
