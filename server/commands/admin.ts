import type { Config } from "../config/config.ts";
import { byCommand } from "./by-command.ts";
import { UsageError } from "./usage-error.ts";
import { withCredentials } from "./with-credentials.ts";

/** `admin reset-password [EMAIL]`: works beside a running server, and ends every session. */
export async function adminCommand(
  config: Config,
  [verb, email, ...rest]: readonly string[],
  password: string | undefined,
): Promise<void> {
  if (verb !== "reset-password" || rest.length > 0) {
    throw new UsageError("`admin` takes reset-password, and the email address if you like.");
  }
  if (password !== undefined && (password.length < 8 || password.length > 256)) {
    throw new UsageError("A password has from 8 to 256 characters.");
  }
  await withCredentials(config, async ({ accounts }, activity) => {
    const account = await accounts.resetPassword({ email, newPassword: password });
    const { email: name } = account;
    activity.record(byCommand("resetPassword", { kind: "account", id: null, name }));
    console.error(`New password of ${account.email}; all sessions have ended.`);
    if (password === undefined) console.log(account.password);
  });
}
