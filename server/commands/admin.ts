import type { Config } from "../config/config.ts";
import { UsageError } from "../terminal/usage-error.ts";
import { peopleVerbs } from "./people/people.ts";
import type { Options } from "./read-arguments.ts";
import { byCommand, withCredentials } from "./with-credentials.ts";

/** `admin reset-password [EMAIL]`, which ends all sessions, and the verbs about people. Works with or without a running server. */
export async function adminCommand(
  config: Config,
  [verb = "", ...args]: readonly string[],
  options: Options,
): Promise<void> {
  const run = Object.hasOwn(peopleVerbs, verb) ? peopleVerbs[verb] : undefined;
  if (run !== undefined) return run({ config, rest: args, options });
  const [email, ...rest] = args;
  const { password, "remove-second-factor": removeSecondFactor = false } = options;
  if (verb !== "reset-password" || rest.length > 0) {
    throw new UsageError(
      `\`admin\` takes reset-password and optionally an email address, or one of: ${Object.keys(peopleVerbs).join(", ")}.`,
    );
  }
  if (password !== undefined && (password.length < 8 || password.length > 256)) {
    throw new UsageError("A password must have 8 to 256 characters.");
  }
  await withCredentials(config, async ({ accounts }, activity) => {
    const request = { email, newPassword: password, removeSecondFactor };
    const account = await accounts.resetPassword(request);
    const { email: name } = account;
    const detail = removeSecondFactor ? { removeSecondFactor } : {};
    activity.record(byCommand("resetPassword", { kind: "account", id: null, name }, detail));
    console.error(`Set a new password for ${account.email} and ended all sessions.`);
    if (removeSecondFactor) console.error("Two-step sign-in is off, and there are no passkeys.");
    if (account.hasSecondFactor) {
      console.error("Signing in needs a code, too: --remove-second-factor turns that off.");
    }
    if (account.passkeys > 0) {
      const some = account.passkeys === 1 ? "A passkey" : `${account.passkeys} passkeys`;
      console.error(`${some} can still sign in: --remove-second-factor removes passkeys, too.`);
    }
    if (password === undefined) console.log(account.password);
  });
}
