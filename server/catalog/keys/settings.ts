import type { Tx } from "../engine/tx.ts";

/** Returns the stored value, which is that of the first claim. */
export async function claimSetting(tx: Tx, name: string, value: string): Promise<string> {
  // Waits for a concurrent claim.
  await tx.db
    .insertInto("settings")
    .values({ name, value })
    .onConflict((conflict) => conflict.column("name").doNothing())
    .execute();
  const kept = await tx.db
    .selectFrom("settings")
    .select("value")
    .where("name", "=", name)
    .executeTakeFirstOrThrow();
  return kept.value;
}

export const putSetting = (tx: Tx, name: string, value: string | null): Promise<void> =>
  putSettings(tx, { [name]: value });

export async function putSettings(
  tx: Tx,
  values: Readonly<Record<string, string | null>>,
): Promise<void> {
  // In a fixed order, so that two transactions cannot deadlock.
  for (const [name, value] of Object.entries(values).sort()) {
    if (value === null) {
      await tx.db.deleteFrom("settings").where("name", "=", name).execute();
      continue;
    }
    await tx.db
      .insertInto("settings")
      .values({ name, value })
      .onConflict((conflict) => conflict.column("name").doUpdateSet({ value }))
      .execute();
  }
}
