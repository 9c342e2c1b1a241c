import type { oidcOperations } from "../../../../contract/operations/oidc.ts";
import type { Accounts } from "../../../access/accounts.ts";
import type { Oidc } from "../../../access/oidc/oidc.ts";
import {
  clearPendingCookie,
  pendingCookie,
  readPendingCookie,
} from "../../../access/oidc/oidc-cookie.ts";
import { safeReturnPath } from "../../../access/oidc/return-path.ts";
import type { SecondFactor } from "../../../access/second-factor.ts";
import { Fault } from "../../../domain/faults/fault.ts";
import type { Activity } from "../../../insight/activity.ts";
import { identityObject } from "../objects.ts";
import type { Handlers } from "./handler.ts";
import { createStartSession, requireSession, type StartSessionDeps } from "./start-session.ts";

export interface OidcHandlerDeps extends StartSessionDeps {
  readonly accounts: Pick<Accounts, "confirmPassword">;
  readonly secondFactor: Pick<SecondFactor, "check">;
  readonly activity: Pick<Activity, "record">;
  /** null: the server has no provider. */
  readonly oidc: Oidc | null;
  /** The path below which a proxy shows the site. */
  readonly basePath: string;
}

/** The page at which a browser goes on that has connected the account. */
const SECURITY_PAGE = "/settings/security";
const FILES_PAGE = safeReturnPath(undefined);

export function oidcHandlers(deps: OidcHandlerDeps): Handlers<keyof typeof oidcOperations> {
  const { accounts, secondFactor, activity, basePath, secure } = deps;
  const startSession = createStartSession(deps);

  function provider(): Oidc {
    if (deps.oidc !== null) return deps.oidc;
    throw new Fault("not_found", "This server has no provider to sign in with.");
  }

  return {
    async beginOidc({ query, setCookie }) {
      const { url, sealed } = await provider().begin({ returnTo: safeReturnPath(query.to) });
      setCookie(pendingCookie(sealed, { secure }));
      return seeOther(url);
    },

    // In a body, because proxies log URLs.
    async beginInvitation({ body: { token: invitation }, setCookie }) {
      const { url, sealed } = await provider().begin({ returnTo: FILES_PAGE, invitation });
      setCookie(pendingCookie(sealed, { secure }));
      return { url };
    },

    async signInWithOidc(input) {
      const { request, client, addAuditDetails, setCookie } = input;
      const identity = await input.authenticateAgain();
      const { kind, account, formerRole, groups, returnTo } = await provider().finish({
        sealed: readPendingCookie(request.headers.get("cookie"), { secure }),
        query: new URL(request.url, "http://localhost").searchParams,
        client,
        signedIn: identity?.kind === "session" ? identity : undefined,
      });
      const { id, email: name } = account;
      const who = { kind: "account", id, name } as const;
      if (formerRole !== undefined) {
        activity.record({
          action: "changeAccount",
          outcome: "done",
          status: 200,
          actor: who,
          address: client,
          subject: who,
          detail: { role: account.role, provider: true },
        });
      }
      const isConnected = kind === "connected";
      if (!isConnected) await startSession(account, input, { method: "oidc", groups });
      const detail = isConnected ? { connected: true } : {};
      addAuditDetails({ actor: who, subject: who, detail });
      setCookie(clearPendingCookie({ secure }));
      return seeOther(`${basePath}${returnTo}`);
    },

    async connectIdentity({ identity, body: { currentPassword, code }, setCookie }) {
      const { account, session } = requireSession(identity);
      const oidc = provider();
      await accounts.confirmPassword({ account, currentPassword });
      await secondFactor.check(account.id, code);
      const purpose = { returnTo: SECURITY_PAGE, connectSession: session.id };
      const { url, sealed } = await oidc.begin(purpose);
      setCookie(pendingCookie(sealed, { secure }));
      return { url };
    },

    async identities({ identity }) {
      const { account } = requireSession(identity);
      const found = (await deps.oidc?.identitiesOf(account.id)) ?? [];
      return { identities: found.map(identityObject) };
    },

    async disconnectIdentity({ identity, body }) {
      await provider().disconnect(requireSession(identity).account, body);
      return {};
    },
  };
}

const seeOther = (location: string): Response =>
  new Response(null, {
    status: 303,
    headers: { Location: location, "Cache-Control": "no-store", "Referrer-Policy": "no-referrer" },
  });
