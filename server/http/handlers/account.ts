import type { Accounts } from "../../access/accounts.ts";
import { clearSessionCookie, sessionCookie } from "../../access/session-cookie.ts";
import type { Sessions } from "../../access/sessions.ts";
import { Fault } from "../../rules/fault.ts";
import type { AccountRecord } from "../../rules/records.ts";
import { accountObject, sessionObject } from "../objects.ts";
import type { Handlers } from "./handler.ts";
import { requireSession } from "./require-session.ts";

type AccountOperations =
  | "setup"
  | "setupState"
  | "signIn"
  | "signOut"
  | "whoAmI"
  | "listSessions"
  | "endSessions"
  | "changeEmail"
  | "changePassword";

export interface AccountHandlerParts {
  readonly accounts: Accounts;
  readonly sessions: Sessions;
  /** Whether cookies are marked Secure. */
  readonly secure: boolean;
}

/** The part of a handler's input that starting a session needs. */
interface SessionRequest {
  readonly request: Request;
  readonly client: string;
  readonly setCookie: (cookie: string) => void;
}

export function accountHandlers({
  accounts,
  sessions,
  secure,
}: AccountHandlerParts): Handlers<AccountOperations> {
  async function startSession(
    account: AccountRecord,
    { request, client, setCookie }: SessionRequest,
  ) {
    const userAgent = request.headers.get("user-agent") ?? "";
    const { token } = await sessions.start(account, { userAgent, address: client });
    setCookie(sessionCookie(token, { secure }));
    return { account: accountObject(account) };
  }

  return {
    async setupState() {
      return { needed: await accounts.setupNeeded() };
    },

    async setup(input) {
      return startSession(await accounts.setup({ ...input.body, client: input.client }), input);
    },

    async signIn(input) {
      return startSession(await accounts.signIn({ ...input.body, client: input.client }), input);
    },

    async signOut({ caller, setCookie }) {
      const { account, session } = requireSession(caller);
      await sessions.end(account.id, session.id);
      setCookie(clearSessionCookie({ secure }));
      return {};
    },

    async whoAmI({ caller }) {
      const { account, session } = requireSession(caller);
      return { account: accountObject(account), session: sessionObject(session, session.id) };
    },

    async listSessions({ caller }) {
      const { account, session } = requireSession(caller);
      const all = await sessions.list(account.id);
      return { sessions: all.map((each) => sessionObject(each, session.id)) };
    },

    async endSessions({ caller, body }) {
      const { account, session } = requireSession(caller);
      if ((body.id === undefined) === (body.others === undefined)) {
        throw new Fault("invalid", "Give either the `id` of a session or `others`: true.");
      }
      if (body.id === undefined) return { ended: await sessions.endOthers(account.id, session.id) };
      if (await sessions.end(account.id, body.id)) return { ended: 1 };
      throw new Fault("not_found", "Session not found.");
    },

    async changeEmail({ caller, body, client }) {
      const { account } = requireSession(caller);
      const changed = await accounts.changeEmail({ account, ...body, client });
      return { account: accountObject(changed) };
    },

    async changePassword(input) {
      const { account } = requireSession(input.caller);
      const changed = await accounts.changePassword({
        account,
        ...input.body,
        client: input.client,
      });
      return startSession(changed, input);
    },
  };
}
