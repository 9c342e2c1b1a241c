import type { secondFactorOperations } from "../../../../contract/operations/second-factor.ts";
import type { Accounts } from "../../../access/accounts.ts";
import type { SecondFactor } from "../../../access/second-factor.ts";
import { maybeTimestamp } from "../objects.ts";
import type { Handlers } from "./handler.ts";
import { requireSession } from "./start-session.ts";

export function secondFactorHandlers({
  accounts,
  secondFactor,
}: {
  readonly accounts: Pick<Accounts, "confirmPassword">;
  readonly secondFactor: SecondFactor;
}): Handlers<keyof typeof secondFactorOperations> {
  return {
    async secondFactor({ identity }) {
      const { account } = requireSession(identity);
      const { enabledAt, recoveryCodes } = await secondFactor.state(account.id);
      return { enabledAt: maybeTimestamp(enabledAt), recoveryCodes };
    },

    async prepareSecondFactor({ identity }) {
      return secondFactor.prepare(requireSession(identity).account.email);
    },

    async enableSecondFactor({ identity, body: { currentPassword, secret, code } }) {
      const { account } = requireSession(identity);
      await accounts.confirmPassword({ account, currentPassword });
      return { recoveryCodes: await secondFactor.enable(account, { secret, code }) };
    },

    async disableSecondFactor({ identity, body: { currentPassword, code } }) {
      const { account } = requireSession(identity);
      await accounts.confirmPassword({ account, currentPassword });
      await secondFactor.disable(account, code);
      return {};
    },

    async renewRecoveryCodes({ identity, body: { currentPassword, code } }) {
      const { account } = requireSession(identity);
      await accounts.confirmPassword({ account, currentPassword });
      return { recoveryCodes: await secondFactor.renewRecoveryCodes(account, code) };
    },
  };
}
