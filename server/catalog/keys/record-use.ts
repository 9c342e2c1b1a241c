import type { Tx } from "../engine/tx.ts";
import type { Use } from "../port/credentials.ts";

export async function recordUse(
  tx: Tx,
  use: { apiKeys: readonly Use[]; sessions: readonly Use[] },
): Promise<void> {
  // In a fixed order, so that two transactions cannot deadlock.
  for (const { id, at } of use.apiKeys.toSorted(byId)) {
    await tx.db
      .updateTable("api_keys")
      .set({ last_used_at: at })
      .where("id", "=", id)
      .where((eb) => eb.or([eb("last_used_at", "is", null), eb("last_used_at", "<", at)]))
      .execute();
  }
  for (const { id, at } of use.sessions.toSorted(byId)) {
    await tx.db
      .updateTable("sessions")
      .set({ last_seen_at: at })
      .where("id", "=", id)
      .where("last_seen_at", "<", at)
      .execute();
  }
}

const byId = (a: Use, b: Use): number => (a.id < b.id ? -1 : 1);
