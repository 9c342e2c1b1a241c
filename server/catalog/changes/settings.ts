import type { Tx } from "../tx.ts";

export async function putSetting(
  tx: Tx,
  { name, value }: { name: string; value: string | null },
): Promise<void> {
  if (value === null) {
    await tx.db.deleteFrom("settings").where("name", "=", name).execute();
    return;
  }
  await tx.db
    .insertInto("settings")
    .values({ name, value })
    .onConflict((conflict) => conflict.column("name").doUpdateSet({ value }))
    .execute();
}
