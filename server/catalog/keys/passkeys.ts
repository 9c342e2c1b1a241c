import { Fault } from "../../domain/faults/fault.ts";
import type { Millis, PasskeyRecord } from "../../domain/records.ts";
import type { Tx } from "../engine/tx.ts";
import type { NewPasskey, PasskeyUse, UsedChallenge } from "../port/passkeys.ts";
import { lockAccount } from "./accounts.ts";
import { selectPasskeys, toPasskey } from "./select-credentials.ts";

/** The most passkeys that an account may have. */
const MAX_PASSKEYS = 50;
/** Used challenges are kept longer than they are valid, since a clock may be set back. */
const KEEP_CHALLENGES_MS = 24 * 3600 * 1000;

export async function addPasskey(
  tx: Tx,
  { passkey, challenge, ifPasswordHash }: NewPasskey,
): Promise<void> {
  await lockAccount(tx, passkey.accountId, ifPasswordHash);
  if (!(await claimChallenge(tx, challenge, passkey.createdAt))) {
    throw new Fault("invalid", "This request was used before. Try again.");
  }
  const others = await selectPasskeys(tx.db).where("account_id", "=", passkey.accountId).execute();
  if (others.length >= MAX_PASSKEYS) {
    throw new Fault("conflict", `An account has at most ${MAX_PASSKEYS} passkeys: remove one.`);
  }
  const added = await tx.db
    .insertInto("passkeys")
    .values({
      id: passkey.id,
      account_id: passkey.accountId,
      credential_id: passkey.credentialId,
      public_key: passkey.publicKey,
      counter: passkey.counter,
      transports: passkey.transports.join(","),
      can_sync: passkey.canSync ? 1 : 0,
      is_synced: passkey.isSynced ? 1 : 0,
      host: passkey.host,
      name: passkey.name,
      created_at: passkey.createdAt,
      last_used_at: passkey.lastUsedAt,
    })
    .onConflict((conflict) => conflict.column("credential_id").doNothing())
    .returning("id")
    .executeTakeFirst();
  if (added === undefined) throw new Fault("conflict", "This passkey was added before.");
}

export async function renamePasskey(
  tx: Tx,
  { accountId, id, name }: { accountId: string; id: string; name: string },
): Promise<PasskeyRecord> {
  await tx.db
    .updateTable("passkeys")
    .set({ name })
    .where("id", "=", id)
    .where("account_id", "=", accountId)
    .execute();
  const renamed = await findPasskey(tx, accountId, id);
  if (renamed === undefined) throw new Fault("not_found", "Passkey not found.");
  return renamed;
}

export async function removePasskey(
  tx: Tx,
  accountId: string,
  id: string,
): Promise<PasskeyRecord | undefined> {
  const found = await findPasskey(tx, accountId, id);
  if (found !== undefined) await tx.db.deleteFrom("passkeys").where("id", "=", id).execute();
  return found;
}

export async function recordPasskeyUse(
  tx: Tx,
  { id, challenge, counter, isSynced, at }: PasskeyUse,
): Promise<void> {
  if (!(await claimChallenge(tx, challenge, at))) {
    throw new Fault("unauthorized", "This sign-in was used before. Try again.", {
      code: "wrong_credentials",
    });
  }
  // Copies of an authenticator that counts are noticed, because their counters fall behind.
  const used = await tx.db
    .updateTable("passkeys")
    .set({ counter, is_synced: isSynced ? 1 : 0, last_used_at: at })
    .where("id", "=", id)
    .where((eb) => (counter === 0 ? eb("counter", "=", 0) : eb("counter", "<", counter)))
    .returning("id")
    .executeTakeFirst();
  if (used !== undefined) return;
  const exists = await tx.db
    .selectFrom("passkeys")
    .select("id")
    .where("id", "=", id)
    .executeTakeFirst();
  throw new Fault(
    "unauthorized",
    exists === undefined
      ? "This passkey was removed."
      : "This passkey may have been copied, because its counter did not grow. Sign in with your password, and replace it.",
    { code: "wrong_credentials" },
  );
}

/** false: it was used before. */
async function claimChallenge(tx: Tx, { hash, expiresAt }: UsedChallenge, now: Millis) {
  await tx.db
    .deleteFrom("used_challenges")
    .where("expires_at", "<", now - KEEP_CHALLENGES_MS)
    .execute();
  const used = await tx.db
    .insertInto("used_challenges")
    .values({ hash, expires_at: expiresAt })
    .onConflict((conflict) => conflict.column("hash").doNothing())
    .returning("hash")
    .executeTakeFirst();
  return used !== undefined;
}

async function findPasskey(tx: Tx, accountId: string, id: string) {
  const row = await selectPasskeys(tx.db)
    .where("id", "=", id)
    .where("account_id", "=", accountId)
    .executeTakeFirst();
  return row && toPasskey(row);
}
