import type { accountOperations } from "../../../../contract/operations/account.ts";
import type { oidcOperations } from "../../../../contract/operations/oidc.ts";
import type { passkeyOperations } from "../../../../contract/operations/passkeys.ts";
import type { secondFactorOperations } from "../../../../contract/operations/second-factor.ts";
import type { Accounts } from "../../../access/accounts.ts";
import type { Oidc } from "../../../access/oidc/oidc.ts";
import type { Members } from "../../../access/people/members.ts";
import { clearSessionCookie, readSessionToken } from "../../../access/session-cookie.ts";
import { Fault } from "../../../domain/faults/fault.ts";
import { accountObject, sessionObject } from "../objects.ts";
import type { Handlers } from "./handler.ts";
import { spaceObject } from "./people.ts";
import { requirePasswordSignIn } from "./require-password-sign-in.ts";
import { createStartSession, requireSession, type StartSessionDeps } from "./start-session.ts";

type AccountOperations = Exclude<
  keyof typeof accountOperations,
  keyof typeof passkeyOperations | keyof typeof secondFactorOperations | keyof typeof oidcOperations
>;

export interface AccountHandlerDeps extends StartSessionDeps {
  readonly accounts: Accounts;
  readonly members: Pick<Members, "hasOthers">;
  /** null: the server has no provider. */
  readonly oidc: Pick<Oidc, "providerName" | "signOutUrl"> | null;
  /** Whether a password signs in. */
  readonly passwordSignIn: boolean;
}

export function accountHandlers({
  accounts,
  members,
  sessions,
  secure,
  oidc,
  passwordSignIn,
}: AccountHandlerDeps): Handlers<AccountOperations> {
  const startSession = createStartSession({ sessions, secure });

  return {
    async setupState() {
      const provider = oidc?.providerName ?? null;
      return { needed: await accounts.setupNeeded(), passwordSignIn, provider };
    },

    async setup(input) {
      return startSession(await accounts.setup({ ...input.body, client: input.client }), input);
    },

    async signIn(input) {
      const { body, client, request } = input;
      requirePasswordSignIn(passwordSignIn);
      const token = readSessionToken(request.headers.get("cookie"), { secure });
      const session = token === undefined ? undefined : (await sessions.find(token))?.session;
      return startSession(await accounts.signIn({ ...body, client, session }), input);
    },

    async signOut({ identity, setCookie }) {
      const { account, session } = requireSession(identity);
      await sessions.end(account.id, session.id);
      setCookie(clearSessionCookie({ secure }));
      const url = session.method === "oidc" ? ((await oidc?.signOutUrl()) ?? null) : null;
      return { url };
    },

    async whoAmI({ identity }) {
      const { account, session, membership, lacksSecondFactor = false } = requireSession(identity);
      return {
        account: accountObject(account),
        session: sessionObject(session, session.id),
        spaces: (membership?.grants ?? []).map(spaceObject),
        hasOthers: account.role === "owner" && (await members.hasOthers()),
        needsSecondFactor: lacksSecondFactor,
      };
    },

    async listSessions({ identity }) {
      const { account, session } = requireSession(identity);
      const all = await sessions.list(account.id);
      return { sessions: all.map((each) => sessionObject(each, session.id)) };
    },

    async endSessions({ identity, body }) {
      const { account, session } = requireSession(identity);
      if ((body.id === undefined) === (body.others === undefined)) {
        throw new Fault("invalid", "Give either the `id` of a session or `others`: true.");
      }
      if (body.id === undefined) return { ended: await sessions.endOthers(account.id, session.id) };
      if (await sessions.end(account.id, body.id)) return { ended: 1 };
      throw new Fault("not_found", "Session not found.");
    },

    async changeEmail({ identity, body }) {
      const { account } = requireSession(identity);
      const changed = await accounts.changeEmail({ account, ...body });
      return { account: accountObject(changed) };
    },

    async changePassword(input) {
      const { account } = requireSession(input.identity);
      const changed = await accounts.changePassword({ account, ...input.body });
      return startSession(changed, input);
    },
  };
}
