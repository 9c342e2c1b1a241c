import type { Config } from "../config/config.ts";
import { byCommand } from "./by-command.ts";
import { UsageError } from "./usage-error.ts";
import { withCredentials } from "./with-credentials.ts";

/** `admin reset-password [EMAIL]`: ends all sessions. Works with or without a running server. */
export async function adminCommand(
  config: Config,
  [verb, email, ...rest]: readonly string[],
  password: string | undefined,
): Promise<void> {
  if (verb !== "reset-password" || rest.length > 0) {
    throw new UsageError("`admin` takes reset-password and optionally an email address.");
  }
  if (password !== undefined && (password.length < 8 || password.length > 256)) {
    throw new UsageError("A password must have 8 to 256 characters.");
  }
  await withCredentials(config, async ({ accounts }, activity) => {
    const account = await accounts.resetPassword({ email, newPassword: password });
    const { email: name } = account;
    activity.record(byCommand("resetPassword", { kind: "account", id: null, name }));
    console.error(`Set a new password for ${account.email} and ended all sessions.`);
    if (password === undefined) console.log(account.password);
  });
}
