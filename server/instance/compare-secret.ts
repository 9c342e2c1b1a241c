import { hkdfSync } from "node:crypto";
import type { StoredSettings } from "../catalog/port.ts";
import type { Log } from "../log.ts";

/** The setting that keeps what the last server that started with the catalog signs URLs with, as a mark. */
const MARK = "auth-secret-mark";

/**
 * Warns when servers of one catalog sign with different secrets: a signed URL of the one is no good on
 * the other, which is seen only where a balancer sends it there. It may also just have been changed.
 */
export async function compareSecret(
  stored: Pick<StoredSettings, "setting" | "putSetting">,
  secret: string,
  log: Pick<Log, "warn">,
): Promise<void> {
  const mark = Buffer.from(hkdfSync("sha256", secret, "", "holdall secret mark v1", 16));
  const mine = mark.toString("hex");
  const last = await stored.setting(MARK);
  if (last === mine) return;
  await stored.putSetting(MARK, mine);
  if (last === undefined) return;
  log.warn(
    "AUTH_SECRET is another one than the last server with this DATABASE_URL had: signed URLs of the one do not work on the other. Give all servers the same, unless it has just been changed.",
  );
}
