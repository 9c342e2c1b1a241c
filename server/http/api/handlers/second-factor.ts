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
    async secondFactor({ caller }) {
      const { account } = requireSession(caller);
      const { enabledAt, recoveryCodes } = await secondFactor.state(account.id);
      return { enabledAt: maybeTimestamp(enabledAt), recoveryCodes };
    },

    async prepareSecondFactor({ caller }) {
      return secondFactor.prepare(requireSession(caller).account.email);
    },

    async enableSecondFactor({ caller, body: { currentPassword, secret, code } }) {
      const { account } = requireSession(caller);
      await accounts.confirmPassword({ account, currentPassword });
      return { recoveryCodes: await secondFactor.enable(account, { secret, code }) };
    },

    async disableSecondFactor({ caller, body: { currentPassword, code } }) {
      const { account } = requireSession(caller);
      await accounts.confirmPassword({ account, currentPassword });
      await secondFactor.disable(account, code);
      return {};
    },

    async renewRecoveryCodes({ caller, body: { currentPassword, code } }) {
      const { account } = requireSession(caller);
      await accounts.confirmPassword({ account, currentPassword });
      return { recoveryCodes: await secondFactor.renewRecoveryCodes(account, code) };
    },
  };
}
