import type { passkeyOperations } from "../../../../contract/operations/passkeys.ts";
import type { Accounts } from "../../../access/accounts.ts";
import type { Passkeys } from "../../../access/passkeys/passkeys.ts";
import {
  type RelyingParty,
  rejectUnusableHost,
  relyingPartyOf,
} from "../../../access/passkeys/relying-party.ts";
import type { SecondFactor } from "../../../access/second-factor.ts";
import { Fault } from "../../../domain/faults/fault.ts";
import { passkeyObject } from "../objects.ts";
import type { Handlers } from "./handler.ts";
import { createStartSession, requireSession, type StartSessionDeps } from "./start-session.ts";

export interface PasskeyHandlerDeps extends StartSessionDeps {
  readonly accounts: Pick<Accounts, "confirmPassword">;
  readonly secondFactor: Pick<SecondFactor, "check">;
  readonly passkeys: Passkeys;
  /** null: that of each request. */
  readonly publicOrigin: string | null;
}

export function passkeyHandlers(
  deps: PasskeyHandlerDeps,
): Handlers<keyof typeof passkeyOperations> {
  const { accounts, secondFactor, passkeys, publicOrigin } = deps;
  const startSession = createStartSession(deps);

  /** The gate has compared `Origin` with `Host`. */
  function siteOf({ headers }: Request): RelyingParty {
    const hostHeader = headers.get("host");
    const originHeader = headers.get("origin");
    const site = relyingPartyOf({ hostHeader, originHeader, publicOrigin });
    if (site === undefined) throw new Fault("invalid", "The request names no host.");
    return site;
  }

  return {
    async passkeys({ identity }) {
      const { account } = requireSession(identity);
      return { passkeys: (await passkeys.list(account.id)).map(passkeyObject) };
    },

    async preparePasskey({ identity, request, body: { currentPassword, code } }) {
      const { account, session } = requireSession(identity);
      const site = siteOf(request);
      rejectUnusableHost(site);
      await accounts.confirmPassword({ account, currentPassword });
      await secondFactor.check(account.id, code);
      return { options: await passkeys.prepare({ account, sessionId: session.id }, site) };
    },

    async addPasskey({ identity, request, body: { response, name } }) {
      const { account, session } = requireSession(identity);
      const by = { account, sessionId: session.id };
      const added = await passkeys.add({ ...by, response, name, site: siteOf(request) });
      return { passkey: passkeyObject(added) };
    },

    async renamePasskey({ identity, body: { id, name } }) {
      const { account } = requireSession(identity);
      return { passkey: passkeyObject(await passkeys.rename(account.id, id, name)) };
    },

    async removePasskey({ identity, body: { id } }) {
      const { account } = requireSession(identity);
      return { passkey: passkeyObject(await passkeys.remove(account.id, id)) };
    },

    async passkeySignInOptions({ request }) {
      return { options: (await passkeys.signInOptions(siteOf(request))) ?? null };
    },

    async signInWithPasskey(input) {
      const { request, client, body } = input;
      const signIn = { response: body.response, site: siteOf(request), client };
      return startSession(await passkeys.signIn(signIn), input, { method: "passkey" });
    },
  };
}
